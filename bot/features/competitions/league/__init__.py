"""The league of a server."""
