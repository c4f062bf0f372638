"""Links that lead a user from Discord into a browser: signed, short-lived, and used once."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import secrets
from hashlib import sha256

from play.ids import MatchId, Millis, UserId
from play.people.web_session import LINK_MILLIS, WebLink
from play.refusal import Reason, Refused

MAX_TOKEN = 512
"""Characters of a token; ours have some 150."""

_ID_BYTES = 16


class LinkSigner:
    """Makes and reads the tokens of links. All processes of a bot have the same `secret`."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def of(cls, token: str) -> LinkSigner:
        """Returns the signer of a bot with this token, from which its secret follows."""
        return cls(hmac.digest(token.encode(), b"kropka web links", sha256))

    def make(self, user: UserId, match: MatchId, now: Millis, *, watches: bool = False) -> str:
        """Returns the token of a new link."""
        fields = [secrets.token_hex(_ID_BYTES), user, match, int(watches), now + LINK_MILLIS]
        body = json.dumps(fields, separators=(",", ":")).encode()
        return f"{_encode(body)}.{_encode(self._sign(body))}"

    def read(self, token: str) -> WebLink:
        """Returns the link of a token. Raises Refused (`bad_link`) unless this bot has made it."""
        if len(token) > MAX_TOKEN or not token.isascii():
            raise Refused(Reason.BAD_LINK)
        body, _, signature = token.partition(".")
        try:
            given, signed = _decode(body), _decode(signature)
        except (binascii.Error, ValueError):
            raise Refused(Reason.BAD_LINK) from None
        if not hmac.compare_digest(signed, self._sign(given)):
            raise Refused(Reason.BAD_LINK)
        number, user, match, watches, until = json.loads(given)
        return WebLink(number, UserId(user), MatchId(match), bool(watches), Millis(until))

    def _sign(self, body: bytes) -> bytes:
        return hmac.digest(self._secret, body, sha256)


def _encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
