"""The computer among people: opponent, hints, reviews, puzzles."""
