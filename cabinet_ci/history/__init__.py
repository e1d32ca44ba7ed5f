"""Git: the few questions asked of it, immutability, releases."""
