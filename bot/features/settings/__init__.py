"""Settings of players and servers."""
