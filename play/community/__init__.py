"""Ladders, news, role rewards and puzzles."""
