"""cabinet-ci: keeps a catalog of versioned test cases well formed, frozen once published, and scored."""

__version__ = "0.1.0"
