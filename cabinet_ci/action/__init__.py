"""What the GitHub Action does, between GitHub's variables and files and the commands of this package."""
