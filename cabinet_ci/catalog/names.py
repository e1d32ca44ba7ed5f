"""Names of files that may be anything but UTF-8, as text that can be printed."""

from __future__ import annotations


def printable(text: str) -> str:
    """Text with the bytes of a name that is not UTF-8 written as git does, in octal, without any half character."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    octal = "".join(f"\\{ord(char) - 0xDC00:o}" if "\udc80" <= char <= "\udcff" else char for char in text)
    return octal.encode("utf-8", "backslashreplace").decode()
