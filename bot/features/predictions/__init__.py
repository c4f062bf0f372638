"""Predictions of games."""
