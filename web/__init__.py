"""The web board: one more way to look at a game and to enter a turn. docs/web-protocol.md has its messages."""
