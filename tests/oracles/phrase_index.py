"""The oracle of the case phrase-index: makes every input from a seed and answers it by searching in one string.

The reference solutions are C that compares words with words, by an index or one place after another. This joins the
text's words with single spaces and lets `str.find` look for the phrase between two spaces, so that it shares neither
language nor algorithm with them.

    python tests/oracles/phrase_index.py    writes all inputs and answers anew
"""

from __future__ import annotations

import bisect
import itertools
import json
import random
import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "test-cases/performance/easy/phrase-index/v1.0.0"


class Question(NamedTuple):
    """A text and the phrases that are looked for in it, under the names of the input's keys."""

    text: str
    queries: list[str]


SMOKE = {
    "one-word": Question("the cat saw the dog and the bird", ["the", "cat", "bird"]),
    "not-in-the-text": Question("a ship sails", ["boat", "sails ship", "a ship sails home"]),
    "upper-and-lower-case": Question("Rain, rain! RAIN on the Roof", ["rain", "RAIN", "the roof", "ROOF"]),
    "whole-words": Question("catalog cat scatter category", ["cat", "catalog", "log", "categor"]),
    "order-of-words": Question("red green blue green red", ["red green", "green red", "blue red"]),
    "across-marks-and-lines": Question(
        "So it goes -- on,\nand on; off\n\nand on. Don't stop", ["on and on", "goes on", "don t", "Don't", "and...on"]
    ),
    "quotes-and-backslashes": Question('say "yes\\no" or "no"', ["yes no", "no or no", '"no"', "n", "yesno"]),
    "digits": Question("route 66, 66b and 6 6; 066", ["66", "66b", "6 6", "6", "route 66 66b"]),
    "occurrences-that-overlap": Question("no no no no yes no no", ["no no", "no no no", "no", "no yes no"]),
    "end-of-the-text": Question("one two three two", ["two", "three two", "two three two one", "three two one"]),
    "query-without-words": Question("some words", ["", " ", "?!", "\n", "words"]),
    "text-without-words": Question(" ...\n--- ", ["word", "", "..."]),
    "empty-text": Question("", ["word", ""]),
    "repeated-queries": Question("ping pong ping", ["ping", "pong", "ping", "PING", "ping"]),
    "no-queries": Question("nobody asks", []),
}


class Book(NamedTuple):
    """The measures of a text made at random and of what is asked of it."""

    words: int
    vocabulary: int
    queries: int


STRESS = {
    "letter": Book(words=800, vocabulary=250, queries=80),
    "chapter": Book(words=14_000, vocabulary=1_800, queries=900),
    "novel": Book(words=42_000, vocabulary=4_500, queries=3_000),
}


def stress_question(name: str) -> Question:
    """A text and queries from the seed that is the name.

    The n-th word of the vocabulary is used in proportion to 1/n, as in natural texts; so a phrase often begins with
    a word that stands in thousands of places. Of ten queries six are phrases of the text, two have one word changed,
    one is a single word, and one is made of the commonest words.
    """
    book = STRESS[name]
    chance = random.Random(f"phrase-index {name}")
    vocabulary = _vocabulary(chance, book.vocabulary)
    common = list(itertools.accumulate(1 / rank for rank in range(1, book.vocabulary + 1)))
    words = chance.choices(vocabulary, cum_weights=common, k=book.words)

    def excerpt() -> list[str]:
        length = chance.randint(2, 6)
        start = chance.randrange(book.words - length)
        return words[start : start + length]

    queries = []
    for index in range(book.queries):
        match index % 10:
            case 0 | 1 | 2 | 3 | 4 | 5:
                phrase = excerpt()
            case 6 | 7:
                phrase = excerpt()
                phrase[chance.randrange(len(phrase))] = chance.choice(vocabulary)
            case 8:
                phrase = [chance.choice(vocabulary) + chance.choice(["", "", "", "x"])]
            case _:
                phrase = chance.choices(vocabulary[:12], k=chance.randint(2, 3))
        queries.append(_printed(chance, phrase, marks=0.1))
    chance.shuffle(queries)
    return Question(_printed(chance, words, marks=0.18), queries)


def _vocabulary(chance: random.Random, size: int) -> list[str]:
    """Words of one to four syllables, the shortest first, as the commonest words are short. One in 40 is a number."""
    found: dict[str, None] = {}
    while len(found) < size:
        syllables = chance.choices([1, 2, 3, 4], [1, 4, 4, 2])[0]
        word = "".join(
            chance.choice("bdfghklmnprstvw") + chance.choice("aeiou") + chance.choice(["", "", "n", "r", "s"])
            for _ in range(syllables)
        )
        found[word if chance.random() < 0.975 else str(chance.randint(1, 9999))] = None
    return sorted(found, key=lambda word: (word.isdigit(), len(word)))


def _printed(chance: random.Random, words: list[str], marks: float) -> str:
    """The words with capital letters, marks and line breaks; after a share of `marks` of them stands no plain space."""
    printed = []
    for index, word in enumerate(words):
        style = chance.random()
        printed.append(word.upper() if style < 0.01 else word.capitalize() if style < 0.1 else word)
        if index + 1 < len(words):
            plain = chance.random() >= marks
            printed.append(" " if plain else chance.choice([", ", ". ", "; ", "-", "\n", ' "', '" ', " (", ") ", "  "]))
    return "".join(printed)


def answers(question: Question) -> list[list[int] | None]:
    """The right answers: `[count, first]` for each query, None where its phrase is not found."""
    text = _joined(question.text)
    spaces = [at for at, character in enumerate(text) if character == " "]
    return [_occurrences(text, spaces, _joined(query)) for query in question.queries]


def _joined(text: str) -> str:
    """The words in lower case, with one space before, between and behind them."""
    return f" {' '.join(re.findall('[0-9a-z]+', text.lower()))} "


def _occurrences(text: str, spaces: list[int], phrase: str) -> list[int] | None:
    if not phrase.strip():
        return None
    first = at = text.find(phrase)
    count = 0
    while at >= 0:
        count += 1
        # The space at which one occurrence begins is not where the next one does; all else may be shared.
        at = text.find(phrase, at + 1)
    return [count, bisect.bisect_left(spaces, first)] if count else None


def files() -> dict[str, bytes]:
    """Every input and answer of the case: path in the version folder -> content."""
    content = {}
    for folder, questions in (("smoke", SMOKE), ("cases", {name: stress_question(name) for name in STRESS})):
        for name, question in questions.items():
            content[f"{folder}/{name}.json"] = _compact(question._asdict())
            content[f"{folder}/{name}.out"] = _compact({"found": answers(question)})
    return content


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def main() -> None:
    """Write all files."""
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
