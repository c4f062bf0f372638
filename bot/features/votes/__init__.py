"""Vote games: how managers begin and end them, and where members find them."""
