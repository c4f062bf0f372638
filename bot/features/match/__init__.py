"""A game in its channel: the board message, commands, notices and the panel behind *More*."""
