"""Matches: events, moves, offers, endings and conditional moves."""
