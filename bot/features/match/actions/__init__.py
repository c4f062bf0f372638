"""What players do besides moving: endings, offers, clocks, conditional moves, vacations."""
