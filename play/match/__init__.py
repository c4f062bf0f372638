"""A match: its events, moves, offers, endings and conditional moves."""
