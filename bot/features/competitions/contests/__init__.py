"""Server against server."""
