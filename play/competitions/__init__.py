"""Competitions as values: tournaments, leagues, contests of two servers, ladders."""
