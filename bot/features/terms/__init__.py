"""Terms and rules as panels choose them, for challenges, settings, tournaments and ladders."""
