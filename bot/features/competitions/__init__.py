"""Competitions, one folder a kind."""
