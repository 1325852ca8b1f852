"""What is kept: the tables, a file of queries per noun, and the database itself."""
