"""A server on loopback that behaves as GitHub's API does, as far as it is used."""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

REPOSITORY = "owner/catalog"
TOKEN = "secret-token"  # noqa: S105 - opens nothing
BOT = "github-actions[bot]"


class Hub:
    """What the server holds and what it was asked.

    `failures` are given instead of answers, first to last: a status, or a status with headers and a body, or "cut" for
    a connection that ends in the middle of its answer. `only` bounds them to methods. `base` is what every path starts
    with, as on a GitHub of one's own. `login` is whose token it is, null where it may not ask, and `author` who it
    writes as; `folders` are those that each revision has.
    """

    def __init__(self) -> None:
        self.address = ""
        self.base = ""
        self.asked: list[tuple[str, str]] = []
        self.bodies: list[dict[str, Any]] = []
        self.failures: list[Any] = []
        self.only: tuple[str, ...] = ("GET", "POST", "PATCH", "DELETE")
        self.login: str | None = BOT
        self.folders: dict[str, set[str]] = {}
        self.may_write = True
        self.releases: list[dict[str, Any]] = []
        self.pulls: dict[int, dict[str, Any]] = {}
        self.comments: dict[int, dict[str, Any]] = {}
        self.artifacts: dict[int, list[dict[str, Any]]] = {}
        self.store_status = 200
        self.packed: dict[int, bytes] = {}
        self.author = BOT
        self.pause_before_create: threading.Barrier | None = None
        self._lock = threading.Lock()
        self._next = 100

    @property
    def env(self) -> dict[str, str]:
        """The variables that GitHub Actions sets."""
        return {"GITHUB_API_URL": self.address, "GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": REPOSITORY}

    def add_pull(
        self, number: int, head: str, owner: str = "owner", branch: str = "topic", state: str = "open"
    ) -> None:
        """Add a pull request of `owner`'s branch."""
        name = f"{owner}/catalog"
        self.pulls[number] = {
            "number": number,
            "state": state,
            "base": {"ref": "main"},
            "head": {"sha": head, "ref": branch, "repo": {"full_name": name}, "label": f"{owner}:{branch}"},
            "url": f"{self.address}/repos/{REPOSITORY}/pulls/{number}",
        }

    def add_comment(self, pull: int, body: str, author: str = BOT) -> dict[str, Any]:
        """Add a comment, as if it had been written on the page."""
        with self._lock:
            self._next += 1
            made = {
                "id": self._next,
                "user": {"login": author},
                "body": body,
                "pull": pull,
                "url": f"{self.address}/repos/{REPOSITORY}/issues/comments/{self._next}",
            }
            self.comments[self._next] = made
        return made

    def on(self, pull: int) -> list[dict[str, Any]]:
        """Comments of a pull request, oldest first."""
        return [each for _, each in sorted(self.comments.items()) if each["pull"] == pull]

    def writes(self) -> list[str]:
        """Methods of the requests that change something."""
        return [method for method, path in self.asked if method != "GET" and not path.endswith("/graphql")]


@contextmanager
def running_hub() -> Iterator[Hub]:
    """A server that stands for GitHub, for as long as the block lasts."""
    hub = Hub()

    class Handler(_Handler):
        pass

    Handler.hub = hub
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._handle("GET")

    def do_POST(self) -> None:
        self._handle("POST")

    def do_PATCH(self) -> None:
        self._handle("PATCH")

    def do_DELETE(self) -> None:
        self._handle("DELETE")

    def log_message(self, *_: object) -> None:
        return

    def _handle(self, method: str) -> None:
        hub = self.hub
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(sent) if sent else {}
        url = urllib.parse.urlsplit(self.path)
        hub.asked.append((method, self.path))
        if sent:
            hub.bodies.append(body)
        if hub.failures and method in hub.only:
            self._fail(hub.failures.pop(0))
            return
        if url.path.startswith("/store/"):
            self._stored(int(url.path.rpartition("/")[2]))
            return
        if self.headers.get("Authorization") not in (f"Bearer {TOKEN}", f"token {TOKEN}"):
            self._answer(401, {"message": "Bad credentials"})
            return
        if method != "GET" and not hub.may_write and not url.path.endswith("/graphql"):
            self._answer(403, {"message": "Resource not accessible by integration"})
            return
        query = dict(urllib.parse.parse_qsl(url.query))
        path = url.path.removeprefix(hub.base)
        if path == "/graphql" or path.endswith("/api/graphql"):
            self._query(body["query"], body["variables"])
            return
        prefix = f"/repos/{REPOSITORY}/"
        if not path.startswith(prefix):
            self._answer(404, {"message": "Not Found"})
            return
        self._route(method, path[len(prefix) :], query, body)

    def _stored(self, number: int) -> None:
        # As with the store that GitHub uses, the address is the key, and nothing else may be shown.
        if self.hub.store_status != 200:
            self._answer_bytes(self.hub.store_status, b"<?xml version='1.0'?><Error/>", "application/xml")
        elif self.headers.get("Authorization") is not None or not self.path.endswith("?signature=secret"):
            self._answer(401, {"message": "Authentication failed"})
        elif number not in self.hub.packed:
            self._answer(404, {"message": "The specified blob does not exist"})
        else:
            self._answer_bytes(200, self.hub.packed[number], "application/zip")

    def _query(self, query: str, variables: dict[str, str]) -> None:
        hub = self.hub
        if "viewer" in query:
            if hub.login is None:
                self._answer(200, {"errors": [{"message": "Resource not accessible by integration"}]})
            else:
                self._answer(200, {"data": {"viewer": {"login": hub.login}}})
            return
        assert f"{variables.pop('owner')}/{variables.pop('name')}" == REPOSITORY
        found: dict[str, Any] = {}
        for name, place in variables.items():
            assert f"{name}: object(expression: ${name})" in query
            revision, _, path = place.partition(":")
            found[name] = {"__typename": "Tree"} if path in hub.folders.get(revision, ()) else None
        self._answer(200, {"data": {"repository": found}})

    def _route(self, method: str, path: str, query: dict[str, str], body: dict[str, Any]) -> None:
        hub = self.hub
        if path == "releases":
            self._releases(method, query, body)
        elif path == "pulls":
            label = query.get("head")
            found = [each for each in hub.pulls.values() if each["state"] == "open" and each["head"]["label"] == label]
            self._page(found, query)
        elif (found_pull := re.fullmatch(r"(?:pulls|issues)/(\d+)", path)) is not None:
            pull = hub.pulls.get(int(found_pull[1]))
            self._answer(*((200, pull) if pull else (404, {"message": "Not Found"})))
        elif (on_pull := re.fullmatch(r"(?:issues|pulls)/(\d+)/comments", path)) is not None:
            self._on_pull(method, int(on_pull[1]), query, body)
        elif (one := re.fullmatch(r"issues/comments/(\d+)", path)) is not None:
            self._one_comment(method, int(one[1]), body)
        elif (run := re.fullmatch(r"actions/runs/(\d+)", path)) is not None:
            address = f"{hub.address}/repos/{REPOSITORY}/{path}"
            self._answer(200, {"id": int(run[1]), "url": address, "artifacts_url": f"{address}/artifacts"})
        elif (listed := re.fullmatch(r"actions/runs/(\d+)/artifacts", path)) is not None:
            found = hub.artifacts.get(int(listed[1]), [])
            self._answer(200, {"total_count": len(found), "artifacts": found})
        elif (packed := re.fullmatch(r"actions/artifacts/(\d+)/zip", path)) is not None:
            # Artifacts lie in a store of another host.
            port = hub.address.rpartition(":")[2]
            address = f"http://localhost:{port}/store/{packed[1]}?signature=secret"
            self._answer_bytes(302, b"", "text/plain", {"Location": address})
        else:
            self._answer(404, {"message": "Not Found"})

    def _releases(self, method: str, query: dict[str, str], body: dict[str, Any]) -> None:
        if method == "GET":
            self._page(self.hub.releases, query)
        elif any(each["tag_name"] == body["tag_name"] for each in self.hub.releases):
            self._answer(422, {"message": "Validation Failed", "errors": [{"code": "already_exists"}]})
        else:
            self.hub.releases.append(body)
            self._answer(201, body)

    def _on_pull(self, method: str, number: int, query: dict[str, str], body: dict[str, Any]) -> None:
        if method == "GET":
            self._page(self.hub.on(number), query)
        elif len(body["body"]) > 65_536:
            self._answer(422, {"message": "Validation Failed", "errors": [{"message": "body is too long"}]})
        else:
            if self.hub.pause_before_create is not None:
                self.hub.pause_before_create.wait(10)
            self._answer(201, self.hub.add_comment(number, body["body"], self.hub.author))

    def _one_comment(self, method: str, number: int, body: dict[str, Any]) -> None:
        found = self.hub.comments.get(number)
        if found is None:
            self._answer(404, {"message": "Not Found"})
        elif method == "PATCH":
            found["body"] = body["body"]
            self._answer(200, found)
        elif method == "DELETE":
            del self.hub.comments[number]
            self._answer_bytes(204, b"", "text/plain")
        else:
            self._answer(200, found)

    def _page(self, found: list[dict[str, Any]], query: dict[str, str]) -> None:
        size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
        headers = {}
        if len(found) > page * size:
            path = urllib.parse.urlsplit(self.path).path
            following = urllib.parse.urlencode({**query, "page": page + 1})
            headers["Link"] = f'<{self.hub.address}{path}?{following}>; rel="next"'
        self._answer(200, found[(page - 1) * size : page * size], headers)

    def _fail(self, failure: Any) -> None:
        if failure == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'[{"id":')
            self.close_connection = True
        elif failure == "slow":
            time.sleep(1)
            self._answer(502, {"message": "Bad Gateway"})
        elif isinstance(failure, int):
            self._answer(failure, {"message": "Not today"})
        else:
            status, headers, body = failure
            self._answer(status, body, headers)

    def _answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self._answer_bytes(status, json.dumps(body).encode(), "application/json; charset=utf-8", headers)

    def _answer_bytes(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
