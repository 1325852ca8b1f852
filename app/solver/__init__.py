"""Whether a position can be won, and how: knows the rules, nothing else."""
