"""Tournaments: who meets whom, and who stands where."""
