"""The computer as an opponent, hints, reviews and puzzles."""
