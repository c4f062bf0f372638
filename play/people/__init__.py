"""Settings of players and servers, vacations and careers."""
