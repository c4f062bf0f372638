"""Tournaments: pairings, rounds and standings."""
