"""What a run receives: the plan, the templates, the files."""
