"""Pages that everyone may read."""
