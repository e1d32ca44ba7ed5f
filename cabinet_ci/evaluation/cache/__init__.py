"""What an evaluation remembers: modules that were built and compiled, and how cases ended."""
