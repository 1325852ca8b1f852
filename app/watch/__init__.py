"""How the program is watched: its log, and the numbers for Prometheus."""
