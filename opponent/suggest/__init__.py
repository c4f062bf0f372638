"""Suggestions that need the rules alone: point ranking, capture threats, adjacency."""
