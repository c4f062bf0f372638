"""Boards of one's own in the browser: the page, and what it asks for."""
