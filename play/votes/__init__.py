"""Votes: games in which the members of a server, or of a role of it, decide each turn together."""
