"""What opens the Mini App: data that Telegram has signed with the bot's token.

Source: https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Any, Final
from urllib.parse import parse_qsl

import orjson

from play.ids import MINUTE, SECOND, MatchId, Millis, UserId
from play.people.web_session import LINK_MILLIS, WebLink
from play.refusal import Reason, Refused

FRAMES: Final = ("https://web.telegram.org",)
"""The origins of Telegram's clients that show a Mini App in a frame; the others show it as a page of its own."""

FUTURE_MILLIS: Final = Millis(MINUTE)
"""How far the clock of Telegram may be before ours."""

MAX_FIELDS: Final = 30
"""Fields of the data; Telegram has some ten."""

MAX_USER: Final = 1 << 52
"""Users have smaller numbers. Source: https://core.telegram.org/bots/api#user"""

_ID_DIGITS = 32


class Launches:
    """Implements web.ports.Launcher. `meet` returns our id of a user whom Telegram describes."""

    frames = FRAMES

    def __init__(self, token: str, meet: Callable[[Mapping[str, Any]], Awaitable[UserId]]) -> None:
        self._key = hmac.digest(b"WebAppData", token.encode(), sha256)
        self._meet = meet

    async def read(self, data: str, wanted: MatchId | None, now: Millis) -> WebLink:
        """See web.ports.Launcher."""
        fields = self._signed_fields(data)
        until = Millis(_date(fields) + LINK_MILLIS)
        if not now < until <= now + LINK_MILLIS + FUTURE_MILLIS:
            raise Refused(Reason.LAUNCH_NOT_TAKEN)
        named = fields.get("start_param", "")
        match = MatchId(int(named)) if named.isascii() and named.isdigit() and len(named) <= 15 else wanted
        user = await self._meet(_user(fields))
        return WebLink(fields["hash"][:_ID_DIGITS], user, match, until, "")

    def _signed_fields(self, data: str) -> Mapping[str, str]:
        """Returns the fields of data that Telegram has signed for this bot. Raises Refused (`launch_not_taken`)."""
        try:
            pairs = parse_qsl(data, keep_blank_values=True, strict_parsing=True, max_num_fields=MAX_FIELDS)
        except ValueError:
            raise Refused(Reason.LAUNCH_NOT_TAKEN) from None
        fields = dict(pairs)
        lines = [f"{name}={value}" for name, value in sorted(fields.items()) if name != "hash"]
        expected = hmac.new(self._key, "\n".join(lines).encode(errors="replace"), sha256).hexdigest()
        given = fields.get("hash", "").encode(errors="replace")
        if len(fields) < len(pairs) or not hmac.compare_digest(expected.encode(), given):
            raise Refused(Reason.LAUNCH_NOT_TAKEN)
        return fields


def _date(fields: Mapping[str, str]) -> Millis:
    """Returns when Telegram has signed the data. Raises Refused (`launch_not_taken`)."""
    date = fields.get("auth_date", "")
    if not (date.isascii() and date.isdigit() and len(date) <= 11):
        raise Refused(Reason.LAUNCH_NOT_TAKEN)
    return Millis(int(date) * SECOND)


def _user(fields: Mapping[str, str]) -> Mapping[str, Any]:
    """Returns who has opened the app, as Telegram describes them. Raises Refused (`launch_not_taken`)."""
    try:
        user = orjson.loads(fields.get("user", ""))
    except orjson.JSONDecodeError:
        raise Refused(Reason.LAUNCH_NOT_TAKEN) from None
    number = user.get("id") if isinstance(user, dict) else None
    texts = ("first_name", "last_name", "username", "language_code")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < MAX_USER or user.get("is_bot"):
        raise Refused(Reason.LAUNCH_NOT_TAKEN)
    return {"id": number, **{name: user[name] for name in texts if isinstance(user.get(name), str)}}
