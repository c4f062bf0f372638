"""Terms and rules in words."""
