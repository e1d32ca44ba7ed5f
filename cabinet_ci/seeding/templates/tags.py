"""One tag at a time: what stands between the braces, and how to go on behind a tag that can't be read."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from cabinet_ci.seeding.templates.tree import Call, Expression, Faults, Literal, Path

MAX_CALLS = 20
"""Helper calls inside each other: `(not (eq (len specs) 1))` has three."""

MAX_DIGITS = 100
"""Characters of a number."""

_NAME = r"""[^\s!"#%&'()*+,./;<=>@\[\\\]^`{|}~]+"""
_BRACKETED = r"""\[[^\[\](){}=|"'\n]{1,200}\]"""
_NAMES = rf"(?:{_NAME}|{_BRACKETED})(?:[./](?:{_NAME}|{_BRACKETED}))*"
_PATH = rf"@?(?:(?:\.\./)*(?:\.\.|{_NAMES})|\./{_NAMES}|\.)"
_EXPRESSION = rf"""
      (?P<number> -?[0-9]+(?:\.[0-9]+)? (?=[=~}}\s)|]))
    | (?P<path> {_PATH} (?=[=~}}\s()|]))
    | (?P<string> "[^"]*(?:(?<=\\)"[^"]*)*" | '[^']*(?:(?<=\\)'[^']*)*')
    | (?P<sign> [()=|])
"""
_TOKEN = re.compile(rf"\s*(?:{_EXPRESSION} | (?P<end>~?}}}}))", re.VERBOSE)
_ONE_NAME = re.compile(_NAME)
_SEGMENT = re.compile(rf"{_NAME}|{_BRACKETED}")
# An ordinary `{{path}}`, most of what a template holds, in one step.
_PLAIN = re.compile(rf"{{{{(~?)\s*({_PATH})\s*(~?)}}}}")
_OPENING = re.compile(r"\{\{(~?)(\{|&|!--|!|\s*(?:#>|#\*|#|/|\^|>|\*)|)\s*")
_ELSE = re.compile(r"else(?=[\s~}])\s*")
_UP = re.compile(r"(?:\.\./)*(?:\.\.$)?")
_COMMENT_END = re.compile(r"~?\}\}")
_LONG_COMMENT_END = re.compile(r"--~?\}\}")
_WORDS = {"true": True, "false": False, "null": None}


@cache
def _token_in_triple() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{_EXPRESSION} | (?P<end>}}~?}}}}))", re.VERBOSE)


class Tag(msgspec.Struct, frozen=True):
    """A tag without its text: `kind` is print, open, close, else or comment."""

    kind: str
    offset: int
    end: int
    strips_left: bool
    strips_right: bool
    value: Expression | None = None
    params: tuple[str, ...] = ()
    broken: bool = False


class _Broken(Exception):
    """A tag that can't be read."""

    def __init__(self, offset: int, message: str, hint: str | None = None) -> None:
        super().__init__(offset, message, hint)
        self.offset = offset
        self.message = message
        self.hint = hint


class TagReader:
    """Reads single tags; a broken one leaves a fault and what is needed to go on."""

    def __init__(self, source: str, faults: Faults) -> None:
        self._source = source
        self._faults = faults
        self._token = _TOKEN
        self._offset = 0
        self._position = 0
        self._open_string: int | None = None
        self._endless: set[str] = set()

    def tag(self, offset: int) -> tuple[Tag | None, int]:
        """The tag at `offset`, None where there is nothing to go on with, and where the text after it starts."""
        plain = _PLAIN.match(self._source, offset)
        if plain is not None:
            left, written, right = plain.groups()
            if written != "else" and written not in _WORDS and written[0] not in "-0123456789":
                path = _path(plain.start(2), written)
                tag = Tag("print", offset, plain.end(), bool(left), bool(right), path)
                return tag, tag.end
        self._offset = offset
        self._open_string = None
        try:
            if self._source.startswith("{{{{", offset):
                return None, self._raw_block(offset)
            tag = self._read(offset)
        except _Broken as broken:
            return self._recover(offset, broken)
        return tag, tag.end

    def _read(self, offset: int) -> Tag:
        opening = _OPENING.match(self._source, offset)
        if opening is None:
            raise self._unexpected()
        left, sigil = bool(opening[1]), opening[2].lstrip()
        if sigil.startswith("!"):
            return self._comment(offset, opening.start(2), sigil, left)
        self._token = _token_in_triple() if sigil == "{" else _TOKEN
        self._position = opening.end()
        if sigil in (">", "#>"):
            raise _Broken(offset, "partials are not available", "write out what it would include")
        if sigil in ("*", "#*"):
            raise _Broken(offset, "decorators are not available")
        if sigil == "":
            otherwise = _ELSE.match(self._source, self._position)
            if otherwise is not None:
                self._position = otherwise.end()
                return self._else(offset, left)
        if sigil == "^":
            closing = self._try_end()
            if closing is not None:
                return Tag("else", offset, self._position, left, closing)
            raise _Broken(offset, "an inverse block", "write {{#unless x}}, or {{else}} inside a block")
        if sigil == "/":
            name = self._expression(0)
            return Tag("close", offset, *self._end(left), name)
        if sigil == "#":
            call = self._call(0, "block")
            params = self._params()
            return Tag("open", offset, *self._end(left), call, params)
        value = self._call(0, "print")
        return Tag("print", offset, *self._end(left), value)

    def _comment(self, offset: int, mark: int, sigil: str, left: bool) -> Tag:
        long = sigil == "!--"
        # Where one comment found no end, none that follows has one.
        endless = sigil in self._endless
        closing = None if endless else (_LONG_COMMENT_END if long else _COMMENT_END).search(self._source, mark + 1)
        if closing is None:
            self._endless.add(sigil)
            closer = "--}}" if long else "}}"
            raise _Broken(offset, f"the comment is not closed: `{closer}` is missing")
        return Tag("comment", offset, closing.end(), left, "~" in closing[0])

    def _else(self, offset: int, left: bool) -> Tag:
        right = self._try_end()
        if right is not None:
            return Tag("else", offset, self._position, left, right)
        call = self._call(0, "block")
        params = self._params()
        return Tag("else", offset, *self._end(left), call, params)

    def _raw_block(self, offset: int) -> int:
        self._faults.add(offset, "raw blocks are not available", r"write \{{ for braces that are to be printed")
        name = re.compile(r"\{{4}[\s#]*([^\s{}]*)").match(self._source, offset)
        closing = self._source.find("{{{{/" + (name[1] if name is not None else ""), offset + 4)
        end = self._source.find("}}}}", offset if closing < 0 else closing)
        return end + 4 if end >= 0 else len(self._source)

    def _recover(self, offset: int, broken: _Broken) -> tuple[Tag | None, int]:
        """Tell a fault, and go on behind the tag, or at the next one where that comes first."""
        source = self._source
        self._faults.add(broken.offset, broken.message, broken.hint)
        following = source.find("{{", offset + 2 + source.startswith("{{{", offset))
        end = source.find("}}", offset, following if following >= 0 else len(source))
        after = end + 2 if end >= 0 else following if following >= 0 else len(source)
        # A broken block tag still opens or closes its block, lest one fault look like two.
        head = re.compile(r"\{\{~?\s*(?:#[>*]?|\^|/|else\b)\s*([^\s(){}~]*)").match(source, offset, after)
        if head is None or broken.message.startswith("the comment"):
            return None, after
        name = Call(offset, head[1].strip("\"'"), ())
        sign = head[0].lstrip("{~ \t\r\n")[0]
        kind = "close" if sign == "/" else "else" if sign == "e" else "open"
        return Tag(kind, offset, after, False, False, name, (), True), after

    def _next(self) -> re.Match[str]:
        token = self._token.match(self._source, self._position)
        if token is None:
            raise self._unexpected()
        return token

    def _unexpected(self) -> _Broken:
        source = self._source
        if self._open_string is not None:
            return _Broken(self._open_string, "the string is not closed")
        at = self._position
        while at < len(source) and source[at].isspace():
            at += 1
        following, end = source.find("{{", at), source.find("}}", at)
        if end < 0 or 0 <= following < end:
            return _Broken(self._offset, "the tag is not closed: `}}` is missing")
        if source[at] in "\"'":
            return _Broken(at, "the string is not closed")
        if self._token is not _TOKEN and source.startswith("}}", at):
            return _Broken(at, "a tag that opens with `{{{` closes with `}}}`")
        wrong = re.compile(r"[^\s(){}|=~\"']+|.").match(source, at)
        shown = (wrong[0] if wrong is not None else source[at])[:40]
        hint = "strings are set in quotes, fields are reached as in variant.slug" if shown[:1] not in "~=|){}" else None
        return _Broken(at, f"`{shown}` can't stand here", hint)

    def _try_end(self) -> bool | None:
        """Step over the end of the tag, if it comes now; whether it strips."""
        token = self._token.match(self._source, self._position)
        if token is None or token.lastgroup != "end":
            return None
        self._position = token.end()
        return "~" in token["end"]

    def _end(self, left: bool) -> tuple[int, bool, bool]:
        right = self._try_end()
        if right is None:
            self._position = self._next().start()
            raise self._unexpected()
        return self._position, left, right

    def _params(self) -> tuple[str, ...]:
        token = self._next()
        if token["path"] != "as":
            return ()
        self._position = token.end()
        bar = self._next()
        if bar["sign"] != "|":
            raise _Broken(token.start("path"), "block parameters are set between bars", "write as |name|")
        self._position = bar.end()
        names: list[str] = []
        while (token := self._next())["path"] is not None and _ONE_NAME.fullmatch(token["path"]):
            names.append(token["path"])
            self._position = token.end()
        if token["sign"] != "|" or not names:
            raise _Broken(token.start(token.lastgroup or 0), "block parameters are names between bars", "as |name|")
        self._position = token.end()
        return tuple(names)

    def _call(self, depth: int, form: str) -> Expression:
        """A helper with arguments, up to what ends it; a lone path or literal that is printed stays what it is."""
        first = self._next()
        subject = self._expression(depth)
        args: list[Expression] = []
        options: list[tuple[str, Expression]] = []
        while True:
            token = self._next()
            group = token.lastgroup
            if group == "end" or token["sign"] in (")", "|") or (form == "block" and token["path"] == "as"):
                break
            if token["path"] is not None and _ONE_NAME.fullmatch(token["path"]):
                equals = self._token.match(self._source, token.end())
                if equals is not None and equals["sign"] == "=":
                    self._position = equals.end()
                    options.append((token["path"], self._expression(depth)))
                    continue
            if options:
                raise _Broken(token.start(group or 0), "arguments come before options (`name=value`)")
            args.append(self._expression(depth))
        if form == "print" and not args and not options:
            return subject
        at = first.start(first.lastgroup or 0)
        if not isinstance(subject, Path):
            raise _Broken(at, "the name of a helper is due here")
        return Call(at, subject.written, tuple(args), tuple(options))

    def _expression(self, depth: int) -> Expression:
        token = self._next()
        group = token.lastgroup or ""
        at = token.start(group)
        value = token[group]
        self._position = token.end()
        if group == "path":
            return Literal(at, _WORDS[value]) if value in _WORDS else _path(at, value)
        if group == "string":
            if self._open_string is None and ("\n" in value or "{{" in value):
                # Most likely a quote is missing, which shows only further on.
                self._open_string = at
            return Literal(at, value[1:-1].replace("\\" + value[0], value[0]))
        if group == "number":
            if len(value) > MAX_DIGITS:
                raise _Broken(at, f"a number of more than {MAX_DIGITS} digits")
            return Literal(at, float(value) if "." in value else int(value))
        if value != "(":
            raise _Broken(at, "something is missing here" if group == "end" else f"`{value}` can't stand here")
        if depth >= MAX_CALLS:
            raise _Broken(at, f"helper calls are nested more than {MAX_CALLS} deep")
        call = self._call(depth + 1, "argument")
        closing = self._next()
        if closing["sign"] != ")":
            raise _Broken(at, "the parenthesis is not closed")
        self._position = closing.end()
        return call


def _path(offset: int, written: str) -> Path:
    rest = written.removeprefix("@")
    steps = _UP.match(rest)
    up = (steps.end() + 1) // 3 if steps is not None else 0
    rest = rest[3 * up :]
    local = rest.startswith(".")
    names = [name[1:-1] if name[0] == "[" else name for name in _SEGMENT.findall(rest.removeprefix("./"))]
    if names and names[0] == "this" and rest.startswith("this"):
        local = True
        names = names[1:]
    return Path(offset, written, tuple(names), up, written[0] == "@", local)
