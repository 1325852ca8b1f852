"""Replays, and the look back at a game."""
