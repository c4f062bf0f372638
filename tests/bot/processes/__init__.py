"""Bots that are processes of their own, on a clock that the test moves."""
