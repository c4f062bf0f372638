"""The catalogues, and time zones by city."""
