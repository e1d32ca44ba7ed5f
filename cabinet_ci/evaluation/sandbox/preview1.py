"""WASI preview 1 for core modules: each function that a module may import, answered from `offered`."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import wasmtime

from cabinet_ci.evaluation.sandbox.calls import ModuleRefused
from cabinet_ci.evaluation.sandbox.engine import shortened
from cabinet_ci.evaluation.sandbox.offered import MONOTONIC, PRINTED_LIMIT, RESOLUTION, WALL_SECONDS, World

NAMESPACE = "wasi_snapshot_preview1"

SUCCESS, BADF, FAULT, INVAL, NOSYS, NOTSUP, SPIPE = 0, 8, 21, 28, 52, 58, 70

PARAMETERS = {
    "args_get": "ii", "args_sizes_get": "ii", "environ_get": "ii", "environ_sizes_get": "ii",
    "clock_res_get": "ii", "clock_time_get": "iIi", "random_get": "ii", "sched_yield": "",
    "poll_oneoff": "iiii", "proc_exit": "i", "proc_raise": "i",
    "fd_advise": "iIIi", "fd_allocate": "iII", "fd_close": "i", "fd_datasync": "i", "fd_fdstat_get": "ii",
    "fd_fdstat_set_flags": "ii", "fd_fdstat_set_rights": "iII", "fd_filestat_get": "ii",
    "fd_filestat_set_size": "iI", "fd_filestat_set_times": "iIIi", "fd_pread": "iiiIi", "fd_prestat_get": "ii",
    "fd_prestat_dir_name": "iii", "fd_pwrite": "iiiIi", "fd_read": "iiii", "fd_readdir": "iiiIi",
    "fd_renumber": "ii", "fd_seek": "iIii", "fd_sync": "i", "fd_tell": "ii", "fd_write": "iiii",
    "path_create_directory": "iii", "path_filestat_get": "iiiii", "path_filestat_set_times": "iiiiIIi",
    "path_link": "iiiiiii", "path_open": "iiiiiIIii", "path_readlink": "iiiiii", "path_remove_directory": "iii",
    "path_rename": "iiiiii", "path_symlink": "iiiii", "path_unlink_file": "iii",
    "sock_accept": "iii", "sock_recv": "iiiiii", "sock_send": "iiiii", "sock_shutdown": "ii",
}  # fmt: skip
"""Parameters of each function: i for i32, I for i64. All give an i32 error number, but `proc_exit` gives nothing."""

_MOST_VECTORS = 1024
_VECTOR = struct.Struct("<II")
"""Pointer and length."""
_SUBSCRIPTION, _EVENT = struct.Struct("<8sB39x"), struct.Struct("<8s2xB21x")
"""What the module gave to know it by, and the kind of what is waited for."""
_TYPES = {"i": "i32", "I": "i64"}
_MASK = 0xFFFF_FFFF


def check_import(wanted: wasmtime.ImportType) -> None:
    """Raise `ModuleRefused` for an import that is not offered, or is wanted with another signature."""
    name = shortened(f"{wanted.module}.{wanted.name}")
    if wanted.module != NAMESPACE or wanted.name not in PARAMETERS:
        raise ModuleRefused(f"the module imports `{name}`, and nothing is offered under that name")
    takes = [_TYPES[letter] for letter in PARAMETERS[wanted.name]]
    gives = [] if wanted.name == "proc_exit" else ["i32"]
    shape = wanted.type
    if (
        not isinstance(shape, wasmtime.FuncType)
        or [str(kind) for kind in shape.params] != takes
        or [str(kind) for kind in shape.results] != gives
    ):
        offered = f"({', '.join(takes)}) -> {', '.join(gives) or 'nothing'}"
        raise ModuleRefused(f"the module imports `{name}` as something else than {offered}")


def imports_of(store: wasmtime.Store, module: wasmtime.Module, world: World) -> list[wasmtime.Func]:
    """Functions for the imports of a module, in their order. The imports have been checked."""
    return [_function(store, wanted, world) for wanted in module.imports]


def _function(store: wasmtime.Store, wanted: wasmtime.ImportType, world: World) -> wasmtime.Func:
    assert isinstance(wanted.type, wasmtime.FuncType)  # noqa: S101
    name = wanted.name or ""
    answer = _ANSWERS.get(name)

    def called(caller: wasmtime.Caller, *arguments: int) -> int | None:
        if answer is None:
            # There are no files and no sockets to do anything with.
            return SUCCESS if name == "sched_yield" else NOSYS if name == "proc_raise" else BADF
        memory = caller.get("memory")
        assert isinstance(memory, wasmtime.Memory)  # noqa: S101
        try:
            found: int = answer(_Guest(caller, memory), world, *arguments)
            return found
        except _OutOfRange:
            return FAULT

    return wasmtime.Func(store, wanted.type, called, access_caller=True)


class _OutOfRange(Exception):
    """A pointer of the guest leads out of its memory."""


class _Guest:
    """The caller's memory."""

    def __init__(self, caller: wasmtime.Caller, memory: wasmtime.Memory) -> None:
        self._caller = caller
        self._memory = memory

    def read(self, pointer: int, length: int) -> bytes:
        self.check(pointer, length)
        return bytes(self._memory.read(self._caller, pointer & _MASK, (pointer & _MASK) + length))

    def write(self, pointer: int, data: bytes) -> None:
        self.check(pointer, len(data))
        if data:
            self._memory.write(self._caller, data, pointer & _MASK)

    def put(self, pointer: int, value: int, size: int = 4) -> None:
        self.write(pointer, value.to_bytes(size, "little"))

    def check(self, pointer: int, length: int) -> None:
        if (pointer & _MASK) + length > self._memory.data_len(self._caller):
            raise _OutOfRange


def _sizes(guest: _Guest, world: World, count: int, size: int) -> int:  # noqa: ARG001
    guest.put(count, 0)
    guest.put(size, 0)
    return SUCCESS


def _nothing(guest: _Guest, world: World, pointers: int, buffer: int) -> int:  # noqa: ARG001
    return SUCCESS


def _clock_res(guest: _Guest, world: World, clock: int, result: int) -> int:  # noqa: ARG001
    if clock not in (0, 1, 2, 3):
        return INVAL
    guest.put(result, RESOLUTION, 8)
    return SUCCESS


def _clock_time(guest: _Guest, world: World, clock: int, precision: int, result: int) -> int:  # noqa: ARG001
    if clock not in (0, 1, 2, 3):
        return INVAL
    guest.put(result, WALL_SECONDS * 10**9 if clock == 0 else MONOTONIC, 8)
    return SUCCESS


def _random(guest: _Guest, world: World, pointer: int, length: int) -> int:
    guest.write(pointer, world.random(length & _MASK))
    return SUCCESS


def _exit(guest: _Guest, world: World, code: int) -> int:  # noqa: ARG001
    raise world.exit(code & _MASK)


def _close(guest: _Guest, world: World, descriptor: int) -> int:  # noqa: ARG001
    return SUCCESS if descriptor in (0, 1, 2) else BADF


def _fdstat(guest: _Guest, world: World, descriptor: int, result: int) -> int:  # noqa: ARG001
    if descriptor not in (0, 1, 2):
        return BADF
    # A character device (2) that can be read (right 2) or written (right 64).
    guest.write(result, bytes([2]) + bytes(7) + (2 if descriptor == 0 else 64).to_bytes(8, "little") + bytes(8))
    return SUCCESS


def _seek(guest: _Guest, world: World, descriptor: int, *arguments: int) -> int:  # noqa: ARG001
    return SPIPE if descriptor in (0, 1, 2) else BADF


def _read(guest: _Guest, world: World, descriptor: int, vectors: int, count: int, result: int) -> int:  # noqa: ARG001
    if descriptor != 0:
        return BADF
    guest.put(result, 0)
    return SUCCESS


def _write(guest: _Guest, world: World, descriptor: int, vectors: int, count: int, result: int) -> int:
    if descriptor not in (1, 2):
        return BADF
    if count & _MASK > _MOST_VECTORS:
        return INVAL
    written = 0
    for pointer, length in _VECTOR.iter_unpack(guest.read(vectors, _VECTOR.size * (count & _MASK))):
        kept = min(length, PRINTED_LIMIT)
        guest.check(pointer, length)
        if kept:
            world.write(guest.read(pointer + length - kept, kept))
        written += length
    guest.put(result, written & _MASK)
    return SUCCESS


def _poll(guest: _Guest, world: World, subscriptions: int, events: int, count: int, result: int) -> int:  # noqa: ARG001
    if not 0 < count & _MASK <= _MOST_VECTORS:
        return INVAL
    asked = guest.read(subscriptions, _SUBSCRIPTION.size * (count & _MASK))
    # Every wait is over at once: a clock has rung, a descriptor is at its end.
    guest.write(events, b"".join(_EVENT.pack(user, kind) for user, kind in _SUBSCRIPTION.iter_unpack(asked)))
    guest.put(result, count & _MASK)
    return SUCCESS


_ANSWERS: dict[str, Callable[..., Any]] = {
    "args_get": _nothing,
    "args_sizes_get": _sizes,
    "environ_get": _nothing,
    "environ_sizes_get": _sizes,
    "clock_res_get": _clock_res,
    "clock_time_get": _clock_time,
    "random_get": _random,
    "proc_exit": _exit,
    "fd_close": _close,
    "fd_fdstat_get": _fdstat,
    "fd_seek": _seek,
    "fd_tell": _seek,
    "fd_read": _read,
    "fd_write": _write,
    "poll_oneoff": _poll,
}
