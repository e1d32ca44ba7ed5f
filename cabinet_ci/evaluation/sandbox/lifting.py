"""Handing bytes to a component's function and taking them back, in bulk.

The library converts a `list<u8>` element by element, some four seconds per MiB. This writes and reads the engine's own
values as blocks of memory instead; it leans on the layout of the pinned release, which a test holds.
"""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any

import wasmtime
from wasmtime import _ffi as ffi
from wasmtime import component

from cabinet_ci.evaluation.sandbox.calls import check_length

_SIZE = ctypes.sizeof(ffi.wasmtime_component_val_t)
_OFFSET = ffi.wasmtime_component_val_t.of.offset
_BLOCK = 64 * 1024
"""Elements converted at once."""


def call_with_bytes(function: component.Func, store: wasmtime.Store, given: bytes, as_text: bool) -> tuple[bool, bytes]:
    """Call with a string (of UTF-8) or a `list<u8>`; whether the result is an answer (not an err), and its bytes.

    Raises `wasmtime.WasmtimeError` as the engine does, and `CallEnded` for a result that is too long.
    """
    arguments = (ffi.wasmtime_component_val_t * 1)()
    result = ffi.wasmtime_component_val_t()
    if as_text:
        arguments[0].kind = ffi.WASMTIME_COMPONENT_STRING
        text = (ctypes.c_ubyte * len(given)).from_buffer_copy(given)
        ffi.wasm_byte_vec_new(byref(arguments[0].of.string), len(given), text)
    else:
        arguments[0].kind = ffi.WASMTIME_COMPONENT_LIST
        _put_list(arguments[0].of.list, given)
    try:
        error = ffi.wasmtime_component_func_call(
            byref(function._func), store._context(), arguments, 1, byref(result), 1
        )
    finally:
        ffi.wasmtime_component_val_delete(byref(arguments[0]))
    if error:
        raise wasmtime.WasmtimeError._from_ptr(error)
    try:
        if result.kind == ffi.WASMTIME_COMPONENT_RESULT.value:
            return bool(result.of.result.is_ok), _bytes_of(result.of.result.val.contents)
        return True, _bytes_of(result)
    finally:
        ffi.wasmtime_component_val_delete(byref(result))


def _put_list(target: Any, given: bytes) -> None:
    ffi.wasmtime_component_vallist_new_uninit(byref(target), len(given))
    start = ctypes.addressof(target.data.contents) if given else 0
    for at in range(0, len(given), _BLOCK):
        part = given[at : at + _BLOCK]
        image = bytearray(len(part) * _SIZE)
        image[0::_SIZE] = bytes([ffi.WASMTIME_COMPONENT_U8.value]) * len(part)
        image[_OFFSET::_SIZE] = part
        ctypes.memmove(start + at * _SIZE, bytes(image), len(image))


def _bytes_of(value: Any) -> bytes:
    if value.kind == ffi.WASMTIME_COMPONENT_STRING.value:
        text = value.of.string
        check_length(text.size)
        return ctypes.string_at(text.data, text.size) if text.size else b""
    elements = value.of.list
    if not elements.size:
        return b""
    start = ctypes.addressof(elements.data.contents)
    parts = []
    for at in range(0, elements.size, _BLOCK):
        image = ctypes.string_at(start + at * _SIZE, min(_BLOCK, elements.size - at) * _SIZE)
        parts.append(image[_OFFSET::_SIZE])
    return b"".join(parts)
