"""WASI preview 2 for components: each interface that a component may import, answered from `offered`.

The functions that a language's start-up calls are answered; the others of the same interfaces, which need a file or a
socket that nobody has, say that they are not supported, or trap where they have no way to say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import wasmtime
from wasmtime import component

from cabinet_ci.evaluation.sandbox.calls import CallEnded, ModuleRefused
from cabinet_ci.evaluation.sandbox.engine import shortened
from cabinet_ci.evaluation.sandbox.offered import MONOTONIC, RESOLUTION, WALL_SECONDS, World

PACKAGES = ("wasi:io/", "wasi:cli/", "wasi:clocks/", "wasi:random/", "wasi:filesystem/", "wasi:sockets/")
VERSION = re.compile(r"@0\.2\.[0-9]+\Z")

WRITABLE = 4096
"""Bytes that an output stream takes at once, as the interface promises."""


class _Own(msgspec.Struct, frozen=True):
    """A resource handed to the component. Nothing stands behind it: a pollable is ready, a stream kept or empty."""

    resource: str


class _Err(msgspec.Struct, frozen=True):
    """The other side of a result: the case of an enum or variant."""

    case: str


def check_import(name: str, item: object) -> None:
    """Raise `ModuleRefused` for an import that is not offered."""
    offered = name.startswith(PACKAGES) and VERSION.search(name) and isinstance(item, component.ComponentInstanceType)
    if not offered:
        raise ModuleRefused(f"the component imports `{shortened(name)}`, and nothing is offered under that name")


def define_imports(
    linker: component.Linker, imports: Mapping[str, Any], engine: wasmtime.Engine, worlds: Callable[[], World]
) -> None:
    """Define every import of a component, answered from the world that `worlds` gives at that time."""
    resources: dict[str, int] = {}
    with linker.root() as root:
        for name, item in imports.items():
            with root.add_instance(name) as instance:
                for export, kind in item.ty.exports(engine).items():
                    _define(instance, name, export, kind.ty, worlds, resources)


def _define(
    instance: component.LinkerInstance,
    interface: str,
    name: str,
    kind: Any,
    worlds: Callable[[], World],
    resources: dict[str, int],
) -> None:
    if isinstance(kind, component.ResourceType):
        number = resources.setdefault(name, len(resources) + 1)
        instance.add_resource(name, component.ResourceType.host(number), _drop)
    elif isinstance(kind, component.FuncType):
        short = interface.split("@")[0].removeprefix("wasi:") + "." + name
        instance.add_func(name, _function(short, kind.result, worlds, resources))


def _let_go(store: wasmtime.StoreContext, values: Iterable[Any]) -> None:
    """Drop the handles among arguments: the engine refuses to return while a borrowed one is held."""
    for value in values:
        if isinstance(value, component.ResourceAny):
            value.drop(store)
        elif isinstance(value, list):
            _let_go(store, value)


def _drop(store: wasmtime.StoreContext, representation: int) -> None:
    """Nothing stands behind a resource."""


def _function(name: str, result: Any, worlds: Callable[[], World], resources: Mapping[str, int]) -> Callable[..., Any]:
    answer = _ANSWERS.get(name)

    def called(store: wasmtime.StoreContext, *arguments: Any) -> Any:
        world = worlds()
        world.asked = name
        _let_go(store, arguments)
        try:
            if answer is None:
                return _not_supported(name, result)
            value = answer(world, *arguments)
        except CallEnded as ended:
            # The engine must carry the ending through the guest, and it keeps only its own kind of error.
            world.ended = ended
            raise wasmtime.WasmtimeError(ended.detail) from None
        return _wrapped(value, result, resources)

    return called


def _wrapped(value: Any, result: Any, resources: Mapping[str, int]) -> Any:
    """A value in the form in which the engine takes it for the type `result`."""
    if isinstance(value, _Own):
        return component.ResourceHost.own(1, resources[value.resource])
    if isinstance(result, component.ResultType):
        if isinstance(value, _Err):
            error = result.err
            bare = isinstance(error, component.VariantType) and not error._tagged()
            return _tagged(result, "err", None if bare else component.Variant(value.case))
        ok = None if result.ok is None else _wrapped(value, result.ok, resources)
        return _tagged(result, "ok", ok)
    return value


def _tagged(kind: component.ResultType, tag: str, value: Any) -> Any:
    """The library wants a tag where the types of the two sides don't tell them apart."""
    return component.Variant(tag, value) if kind._tagged() else value


def _not_supported(name: str, result: Any) -> Any:
    error = result.err if isinstance(result, component.ResultType) else None
    if isinstance(error, component.EnumType):
        code = next((code for code in ("not-supported", "unsupported") if code in error.names), None)
        if code is not None:
            return _tagged(result, "err", code)
    raise CallEnded("trap", f"the component called `wasi:{name}`, for which there is nothing to work on")


def _written(world: World, stream: component.ResourceAny, data: bytes) -> None:  # noqa: ARG001
    world.write(data)


def _zeroes(world: World, stream: component.ResourceAny, length: int) -> None:  # noqa: ARG001
    world.write(bytes(min(length, WRITABLE)))


def _exit(world: World, status: Any) -> None:
    failed = isinstance(status, component.Variant) and status.tag == "err"
    raise world.exit(int(failed))


def _exit_with_code(world: World, code: int) -> None:
    raise world.exit(code)


def _time(world: World, *arguments: Any) -> component.Record:  # noqa: ARG001
    return _record(seconds=WALL_SECONDS, nanoseconds=0)


def _record(**fields: int) -> component.Record:
    record = component.Record()
    record.__dict__.update(fields)
    return record


def _always(value: Any) -> Callable[..., Any]:
    return lambda world, *arguments: value  # noqa: ARG005


_ANSWERS: dict[str, Callable[..., Any]] = {
    "cli/environment.get-environment": _always([]),
    "cli/environment.get-arguments": _always([]),
    "cli/environment.initial-cwd": _always(None),
    "cli/exit.exit": _exit,
    "cli/exit.exit-with-code": _exit_with_code,
    "cli/stdin.get-stdin": _always(_Own("input-stream")),
    "cli/stdout.get-stdout": _always(_Own("output-stream")),
    "cli/stderr.get-stderr": _always(_Own("output-stream")),
    "cli/terminal-stdin.get-terminal-stdin": _always(None),
    "cli/terminal-stdout.get-terminal-stdout": _always(None),
    "cli/terminal-stderr.get-terminal-stderr": _always(None),
    "clocks/monotonic-clock.now": _always(MONOTONIC),
    "clocks/monotonic-clock.resolution": _always(RESOLUTION),
    "clocks/monotonic-clock.subscribe-instant": _always(_Own("pollable")),
    "clocks/monotonic-clock.subscribe-duration": _always(_Own("pollable")),
    "clocks/wall-clock.now": _time,
    "clocks/wall-clock.resolution": lambda _: _record(seconds=0, nanoseconds=RESOLUTION),
    "filesystem/preopens.get-directories": _always([]),
    "filesystem/types.filesystem-error-code": _always(None),
    "io/error.[method]error.to-debug-string": _always("an error"),
    "io/poll.poll": lambda _, pollables: list(range(len(pollables))),
    "io/poll.[method]pollable.ready": _always(True),
    "io/poll.[method]pollable.block": _always(None),
    "io/streams.[method]input-stream.read": _always(_Err("closed")),
    "io/streams.[method]input-stream.blocking-read": _always(_Err("closed")),
    "io/streams.[method]input-stream.skip": _always(_Err("closed")),
    "io/streams.[method]input-stream.blocking-skip": _always(_Err("closed")),
    "io/streams.[method]input-stream.subscribe": _always(_Own("pollable")),
    "io/streams.[method]output-stream.subscribe": _always(_Own("pollable")),
    "io/streams.[method]output-stream.check-write": _always(WRITABLE),
    "io/streams.[method]output-stream.write": _written,
    "io/streams.[method]output-stream.blocking-write-and-flush": _written,
    "io/streams.[method]output-stream.flush": _always(None),
    "io/streams.[method]output-stream.blocking-flush": _always(None),
    "io/streams.[method]output-stream.write-zeroes": _zeroes,
    "io/streams.[method]output-stream.blocking-write-zeroes-and-flush": _zeroes,
    "random/random.get-random-bytes": lambda world, length: world.random(length),
    "random/random.get-random-u64": lambda world: int.from_bytes(world.random(8), "little"),
    "random/insecure.get-insecure-random-bytes": lambda world, length: world.random(length),
    "random/insecure.get-insecure-random-u64": lambda world: int.from_bytes(world.random(8), "little"),
    "random/insecure-seed.insecure-seed": lambda world: (
        int.from_bytes(world.random(8), "little"),
        int.from_bytes(world.random(8), "little"),
    ),
    "sockets/instance-network.instance-network": _always(_Own("network")),
}
