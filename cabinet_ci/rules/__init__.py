"""The judges: each rule is a small function from what was parsed to diagnostics."""
