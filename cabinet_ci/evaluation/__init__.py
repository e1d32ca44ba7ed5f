"""Build a reference, run it in the sandbox, grade its answers, and write down the result."""
