"""Boards of one's own: a position that is set up, and a tree of turns from there."""
