"""Sentences and what they are made of."""
