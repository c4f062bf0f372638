"""What people and servers set for themselves, on panels that save at once."""
