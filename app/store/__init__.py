"""What is kept: tables, the engine, the one door to the database, and a file of queries per noun."""
