"""Records of games, in SGF and other notations."""
