"""Ladders, news, role rewards, puzzles and greetings of servers."""
