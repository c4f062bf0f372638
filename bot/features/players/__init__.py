"""Profiles, histories and privacy."""
