"""From terms on a panel to a challenge that somebody accepts."""
