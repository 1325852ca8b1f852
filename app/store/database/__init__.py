"""The database itself: where it lies, its schema, the one door to it, its lock, its log and its copies."""
