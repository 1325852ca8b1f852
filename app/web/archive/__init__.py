"""The player about himself: records, history, export and import, name and code."""
