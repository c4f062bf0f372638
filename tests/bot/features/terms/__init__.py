"""Terms and rules as panels choose them."""
