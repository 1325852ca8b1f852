"""What is kept of a player: records, export and import, and what is tidied away."""
