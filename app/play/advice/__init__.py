"""What the solver has to say: at a position, after a win, and looking back."""
