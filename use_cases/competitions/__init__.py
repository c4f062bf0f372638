"""Competitions: what people do in them, and the directors that run them."""
