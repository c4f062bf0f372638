"""Players, servers, vacations and careers."""
