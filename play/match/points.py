"""What a game of two brings its players in a competition."""

WON, LOST, DRAWN, FORFEITED = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0)
"""The points of the first and the second player: the first won, the first lost, nobody did, both lost."""
