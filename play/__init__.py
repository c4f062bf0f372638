"""A match in progress: people, turns, clocks and the use cases; no chat, no rows, no pixels."""
