"""What a board shows, and what opens beside it."""
