"""The rules of suites (section 3 of the format). Those that hold for any folder are in the package above."""
