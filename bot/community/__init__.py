"""Who has played what, and how well: histories, ratings, leaderboards, tournaments."""
