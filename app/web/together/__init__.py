"""Daily deals, boards and challenges."""
