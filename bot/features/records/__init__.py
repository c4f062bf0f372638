"""Records of games: import and export."""
