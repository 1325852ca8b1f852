"""What the commands do that is more than one call."""
