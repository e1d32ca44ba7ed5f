"""What a module may say in place of an answer: no JSON, too much of it, or JSON that is hard on its reader."""

from __future__ import annotations

import pytest

from tests.support.cases import core_module
from tests.support.gallery import MIB, Gallery


def answering(answer: bytes) -> bytes:
    """A module that gives these bytes to every input."""
    data = "".join(f"\\{byte:02x}" for byte in answer)
    pages = (len(answer) + 2048) // 65_536 + 1
    return core_module(f"(i64.const {(2048 << 32) | len(answer)})", f'(data (i32.const 2048) "{data}")', pages)


def repeating(head: str, unit: str, times: int, tail: str = "") -> bytes:
    """A module that answers with a text it repeats, doubling what it has; `times` is a power of two."""
    size = len(unit) * times
    start, end = 16 + len(head), 16 + len(head) + size
    texts = ((16, head), (start, unit), (end, tail))
    put = "".join(
        f"(i32.store8 (i32.const {at + index}) (i32.const {ord(letter)}))"
        for at, text in texts
        for index, letter in enumerate(text)
    )
    double = f"""(local.set $n (i32.const {len(unit)}))
      (loop (memory.copy (i32.add (i32.const {start}) (local.get $n)) (i32.const {start}) (local.get $n))
        (local.set $n (i32.shl (local.get $n) (i32.const 1))) (br_if 0 (i32.lt_u (local.get $n) (i32.const {size}))))"""
    length = len(head) + size + len(tail)
    # The input is put at 1024 before, so that what is repeated covers it.
    return core_module(
        f"(local $n i32) {put} {double} (i64.const {(16 << 32) | length})", pages=(end + 64) // 65_536 + 1
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "expecting value"),
        (b" \n", "expecting value"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b'["\xc3"]', "not UTF-8 at byte 2"),
        (b'"\xed\xa0\x80"', "not UTF-8 at byte 1"),
        ("[1]".encode("utf-16"), "not UTF-8 at byte 0"),
        (b"\xef\xbb\xbf[1]", "bom"),
        (b"[1]\x00", "extra data"),
        (b"\x00[1]", "expecting value"),
        (b"[1] [1]", "extra data"),
        (b"[1]]", "extra data"),
        (b"[1,]", "illegal trailing comma before end of array|expecting value"),
        (b"[1", "expecting ',' delimiter"),
        (b"['1']", "expecting value"),
        (b"[1] // done", "extra data"),
        (b"[01]", "expecting ',' delimiter"),
        (b"[+1]", "expecting value"),
        (b"[.5]", "expecting value"),
        (b"[NaN]", "NaN is no number"),
        (b"[Infinity]", "Infinity is no number"),
        (b"[-Infinity]", "-Infinity is no number"),
        (b'{"a": 1, "a": 1}', 'the key "a" is given twice'),
        (b'{"a": 1, "\\u0061": 2}', 'the key "a" is given twice'),
        (b'["\x1b[31m"]', "invalid control character"),
        (b"undefined", "expecting value"),
        (b"True", "expecting value"),
    ],
)
def test_an_answer_that_is_no_strict_json_is_an_invalid_output(gallery: Gallery, answer: bytes, words: str) -> None:
    met = gallery.meet(answering(answer))
    assert met.outcome == "invalid-output"
    assert any(word in met.detail for word in words.split("|"))
    assert "the answer starts with" in met.detail


def test_an_empty_answer_at_any_place_is_an_invalid_output(gallery: Gallery) -> None:
    assert gallery.meet(core_module(f"(i64.const {65_536 << 32})")).outcome == "invalid-output"


@pytest.mark.parametrize("answer", [b"[1.0]", b"[10e-1]", b" [ 1 ]\r\n", b"[0.1e+1]"])
def test_the_value_spelt_otherwise_passes(gallery: Gallery, answer: bytes) -> None:
    assert gallery.meet(answering(answer)).outcome == "pass"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"[-1]", "at $[0]: expected 1, found -1"),
        (b"[true]", "at $[0]: expected 1, found true"),
        (b'["1"]', 'at $[0]: expected 1, found "1"'),
        (b"[1.00000000000000000000000000000001]", "at $[0]: expected 1, found 100000000000000000000000000000001e-32"),
        (b"[1e999999999999999999999]", "at $[0]: expected 1, found 1e999999999999999999999"),
        (b"[1e-999999999999999999999]", "at $[0]: expected 1, found 1e-999999999999999999999"),
        (b'["\\ud800"]', "at $[0]: expected 1, found"),
        (b'{"\\u0000": 1}', "at $: expected an array of 1, found an object of 1 keys"),
    ],
)
def test_another_value_is_a_wrong_answer_with_the_place(gallery: Gallery, answer: bytes, words: str) -> None:
    met = gallery.meet(answering(answer))
    assert met.outcome == "wrong-answer"
    assert words in met.detail


def test_a_key_of_a_million_characters_is_told_shortened(gallery: Gallery) -> None:
    met = gallery.meet(answering(b'{"' + b"k" * 60_000 + b'": 1}'), expected="{}")
    assert met.outcome == "wrong-answer"
    assert met.detail.startswith('at $["kkkk')
    assert len(met.detail) < 200


def test_an_answer_of_hundreds_of_megabytes_is_not_read(gallery: Gallery) -> None:
    grow = "(drop (memory.grow (i32.const 4800)))"
    met = gallery.meet(core_module(f"{grow} (i64.const {300 * MIB})"), memory=512 * MIB)
    assert met.outcome == "invalid-output"
    assert met.detail == "the answer is 314,572,800 bytes long, and at most 67,108,864 are read"


def test_an_answer_of_as_much_as_is_read_is_graded(gallery: Gallery) -> None:
    grow = "(drop (memory.grow (i32.const 1100)))"
    met = gallery.meet(core_module(f"{grow} (i64.const {64 * MIB})"), memory=72 * MIB)
    assert met.outcome == "invalid-output"
    assert "not JSON" in met.detail


@pytest.mark.parametrize(
    ("head", "unit", "times", "tail"),
    [
        ("[", "1,", 2**23, "1]"),
        ("[", "[],", 2**22, "1]"),
        ("[", "{},", 2**22, "1]"),
        ("[", "1.5,", 2**21, "1]"),
        ("[", "1e999999,", 2**20, "1]"),
        ("", "1", 2**24, ""),
        ("0.", "7", 2**24, ""),
        ('"', "\\u0041", 2**21, '"'),
    ],
)
def test_millions_of_values_are_a_wrong_answer_without_being_built(
    gallery: Gallery, head: str, unit: str, times: int, tail: str
) -> None:
    met = gallery.meet(repeating(head, unit, times, tail), fuel=2**28, memory=64 * MIB)
    assert met.outcome == "wrong-answer"
    size = len(head) + len(unit) * times + len(tail)
    assert met.detail.startswith(f"expected 3 bytes, found {size:,}; it starts with '{head}")


def test_millions_of_values_that_are_no_json_are_an_invalid_output(gallery: Gallery) -> None:
    met = gallery.meet(repeating("[", "1,", 2**22, "]"), fuel=2**28, memory=64 * MIB)
    assert met.outcome == "invalid-output"
    assert met.detail.startswith("not JSON: trailing comma in array")


def test_white_space_by_the_megabyte_does_not_make_an_answer_wrong(gallery: Gallery) -> None:
    assert gallery.meet(repeating("", " ", 2**23, "[1]"), fuel=2**28, memory=64 * MIB).outcome == "pass"


def test_zeros_by_the_megabyte_do_not_make_a_number_wrong(gallery: Gallery) -> None:
    assert gallery.meet(repeating("[1.", "0", 2**20, "]"), fuel=2**28, memory=64 * MIB).outcome == "pass"


@pytest.mark.parametrize(("unit", "times"), [("[", 2**16), ("[", 2**24), ('{"a":', 2**20), ("[[],", 2**15)])
def test_nesting_without_end_is_an_invalid_output(gallery: Gallery, unit: str, times: int) -> None:
    met = gallery.meet(repeating("", unit, times), fuel=2**28, memory=64 * MIB)
    assert met.outcome == "invalid-output"
    assert "nested too deeply" in met.detail


def test_nesting_has_a_limit_that_does_not_hang_on_the_host(gallery: Gallery) -> None:
    for levels, outcome in ((500, "pass"), (501, "invalid-output")):
        text = "[" * levels + "]" * levels
        assert gallery.meet(answering(text.encode()), expected="[" * 500 + "]" * 500).outcome == outcome


def test_a_key_given_twice_among_thousands_is_found_at_once(gallery: Gallery) -> None:
    keys = ",".join(f'"{number}":1' for number in range(3000))
    met = gallery.meet(answering(f'{{{keys},"2999":1}}'.encode()))
    assert met.outcome == "invalid-output"
    assert 'the key "2999" is given twice' in met.detail


def test_no_answer_is_taken_from_a_case_before(gallery: Gallery) -> None:
    assert gallery.meet(answering(b"[1]")).outcome == "pass"
    assert gallery.meet(core_module(f"(i64.const {(8 << 32) | 3})")).outcome == "invalid-output"
