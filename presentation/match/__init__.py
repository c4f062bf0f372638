"""A match in words: what happened, whose turn it is, and what a board shows."""
