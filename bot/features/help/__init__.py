"""Help, the rules and the lesson."""
