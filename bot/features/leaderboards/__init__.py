"""Leaderboards, and roles for the best players."""
