"""The signs of the seats in messages."""

EMBLEMS = ("🔴", "🔵", "🟢", "🟣")
"""One a seat, in the colours of the drawn dots."""
