"""How the cases of a module ended before: remembered by all that decides it."""

from __future__ import annotations

import msgspec

from cabinet_ci.catalog.manifest import Case, Manifest
from cabinet_ci.evaluation.cache.store import Store, digest
from cabinet_ci.evaluation.result import CaseResult

KIND = "outcomes"
FUEL_KIND = "fuel"


class Ledger:
    """The cases of one module that are known, by their keys."""

    def __init__(self, store: Store, module: str, conditions: str) -> None:
        """`module` is its hash; `conditions` is all that bears on a result and is neither the module nor the case."""
        self._store = store
        self._key = digest(module, conditions)
        self._known = self._read()
        self._learnt: dict[str, CaseResult] = {}

    def find(self, key: str) -> CaseResult | None:
        """How the case of that key ended, or None."""
        return self._known.get(key)

    def learn(self, key: str, result: CaseResult) -> None:
        """Remember how a case ended; `save` writes it."""
        self._learnt[key] = result

    def save(self) -> None:
        """Write what was learnt, beside what another run has written meanwhile."""
        if self._learnt:
            self._store.put(KIND, self._key, msgspec.msgpack.encode({**self._read(), **self._learnt}))

    def _read(self) -> dict[str, CaseResult]:
        content = self._store.get(KIND, self._key)
        try:
            return {} if content is None else msgspec.msgpack.decode(content, type=dict[str, CaseResult])
        except msgspec.MsgspecError:
            return {}


def case_key(case: Case, manifest: Manifest, given: bytes, expected: bytes, schema: bytes) -> str:
    """All of a version that decides how a case ends, and what is said of it."""
    sandbox = manifest.sandbox
    limits = f"{sandbox.fuel_limit} {sandbox.max_memory_bytes} {case.fuel_runway!r} {case.kind}"
    contract = (manifest.contract.entry, manifest.contract.output)
    return digest(limits, *contract, case.input, case.expected, given, expected, schema)


def recall_fuel(store: Store, *subject: str) -> dict[str, int]:
    """The last known fuel of each input, as a guess of what takes longest."""
    content = store.get(FUEL_KIND, digest(*subject))
    try:
        return {} if content is None else msgspec.msgpack.decode(content, type=dict[str, int])
    except msgspec.MsgspecError:
        return {}


def keep_fuel(store: Store, results: tuple[CaseResult, ...], *subject: str) -> None:
    """Remember the fuel of each input that ran."""
    fuel = {result.input: result.fuel for result in results if result.fuel is not None}
    if fuel and fuel != recall_fuel(store, *subject):
        store.put(FUEL_KIND, digest(*subject), msgspec.msgpack.encode(fuel))
