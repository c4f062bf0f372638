"""Records of games: export and import."""
