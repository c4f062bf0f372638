"""Data as Telegram signs them for a Mini App."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from urllib.parse import urlencode

from tests.telegram.stand_in import TOKEN

IVAN = {"id": 777, "first_name": "Иван & Ко", "username": "ivan", "language_code": "ru", "allows_write_to_pm": True}


def signed(now: int, *, token: str = TOKEN, user: object = IVAN, **fields: str) -> str:
    """Returns the data with which Telegram opens the Mini App of a bot at a moment."""
    given = {"auth_date": str(now // 1000), "query_id": "AAH", "signature": "c2ln", "user": json.dumps(user)} | fields
    return sign({name: value for name, value in given.items() if value}, token)


def sign(fields: dict[str, str], token: str = TOKEN) -> str:
    """Returns fields with the hash that Telegram documents."""
    key = hmac.digest(b"WebAppData", token.encode(), sha256)
    lines = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
    return urlencode(fields | {"hash": hmac.new(key, lines.encode(), sha256).hexdigest()})
