"""Links to the web board for a user who asks for one in Discord."""

from __future__ import annotations

from play.ids import MatchId, Millis, UserId
from web.access.links import LinkSigner


class WebLinks:
    """Makes the addresses that lead into the site at `address`."""

    def __init__(self, address: str, signer: LinkSigner) -> None:
        self._address = address.rstrip("/")
        self._signer = signer

    def make(self, user: UserId, match: MatchId, now: Millis, *, watches: bool) -> str:
        """Returns the address with which a user enters, once. The token is behind a #, so no server logs it."""
        return f"{self._address}/enter#{self._signer.make(user, match, now, watches=watches)}"
