"""Help, the rules page and the lesson."""
