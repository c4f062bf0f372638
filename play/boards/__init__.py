"""Boards of one's own: a position that somebody sets up, and a tree of turns from there."""
