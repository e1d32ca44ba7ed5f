"""`python -m cabinet_ci`."""

from cabinet_ci.cli import main

if __name__ == "__main__":
    main()
