"""A match in progress: people, turns, clocks and the use cases; no Discord, no rows, no pixels."""
