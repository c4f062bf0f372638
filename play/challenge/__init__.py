"""Challenges, their terms, and rating pools."""
