"""Challenges: terms, pools and what becomes of an offer."""
