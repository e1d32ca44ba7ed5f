"""Suites, the newer format (section 3): what is on disk, parsed, not judged."""
