"""The ladder of a server and its news."""
