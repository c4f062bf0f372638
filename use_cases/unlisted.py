"""Addresses that nobody guesses: of pages which those see who were given the link."""

import secrets
from typing import Final

_BYTES: Final = 12
"""Bytes of an address: 96 bits."""


def make_address() -> str:
    """Returns a new key of an address, which has sixteen characters."""
    return secrets.token_urlsafe(_BYTES)
