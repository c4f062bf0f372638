"""Kropka on a real Matrix homeserver."""
