"""The home post of a server: what is played, open and new there."""
