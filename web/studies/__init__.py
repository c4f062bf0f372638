"""Studies in the browser: the page, what it asks for, and the sockets of those who are at one board."""
