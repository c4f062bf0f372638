"""Ladders, news, role rewards and puzzles of servers."""
