"""Links that lead a user from a chat into a browser: signed, short-lived, used once; and the paths of pages.

No path can be guessed, and none says which server or account it is about.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import secrets
from hashlib import sha256

from play.challenge.pool import Pool
from play.competitions.tournament import TournamentId
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.people.web_session import LINK_MILLIS, WebLink
from play.ratings.leaderboard import Season
from play.refusal import Reason, Refused

MAX_TOKEN = 512
"""Characters of a token; ours have some 150."""

SIGN_IN = "/sign-in"
"""The address at which a browser signs in."""

SIGN_IN_RETURN = f"{SIGN_IN}/return"
"""Where a user comes back to from signing in: a redirect of the application."""

LINKING = "/linked-roles"
"""The address of the page of linked roles: the application's Linked Roles Verification URL."""

ARENA = "/arena"
"""The path of the page of the arena of all servers."""

FRIEND = "/friend"
"""The path below which a code is the page of the game that it offers."""

FIGURES = "/figures"
"""The address of the page of a player's own figures."""

YEAR = f"{FIGURES}/year"
"""The address of the page of a player's own year in dots."""

SHARED_FIGURES = f"{FIGURES}/of"
"""The path below which a link shows the figures that its player shares."""

UNLISTED = "[A-Za-z0-9_-]{16}"
"""The form of an address of `use_cases.unlisted`: a database is asked for no other."""

HELP = "/help"
"""The path of the index of the guides. That of a guide is below it."""

LINKING_RETURN = f"{LINKING}/return"
"""Where a user comes back to from linking an account: a redirect of the application."""

_ID_BYTES = 16

_SEALED_BYTES = 8

TAG_BYTES = 12
"""Bytes of a tag, 16 characters: none is found by trying."""


def entrance(site: str, token: str) -> str:
    """Returns the address with which a user enters a site. The token is behind a #, so no server logs it."""
    return f"{site}/enter#{token}"


class LinkSigner:
    """Makes and reads the tokens of links. All processes of a bot have the same `secret`."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def of(cls, token: str) -> LinkSigner:
        """Returns the signer of a bot with this token, from which its secret follows."""
        return cls(hmac.digest(token.encode(), b"kropka web links", sha256))

    def make(
        self, user: UserId, match: MatchId | None, now: Millis, *, key: str = "", seen: ChannelId | None = None
    ) -> str:
        """Returns the token of a new link with the `key` of the user's links, to a match or to the home page; with a
        channel where they have `seen` the match, of one to watch it."""
        fields = [secrets.token_hex(_ID_BYTES), user, match or 0, seen or 0, now + LINK_MILLIS, key]
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
        number, user, match, seen, until, *key = json.loads(given)  # links of an earlier release have no key
        where = ChannelId(seen) if seen else None
        to = MatchId(match) if match else None
        return WebLink(number, UserId(user), to, Millis(until), key[0] if key else "", where)

    def tag(self, match: MatchId) -> str:
        """Returns what makes the address of a game's page unguessable. It is the same each time."""
        return _encode(self._sign(b"game %d" % match)[:TAG_BYTES])

    def knows(self, match: MatchId, tag: str) -> bool:
        """Returns whether `tag` is that of the game."""
        return hmac.compare_digest(self.tag(match).encode(), tag.encode())

    def seal(self, purpose: str, number: int) -> str:
        """Returns a text for a number of 64 bits, which nobody else can read or make. It is the same each time.

        It is the number under a synthetic initialization vector (Rogaway and Shrimpton, 2006), with HMAC for both.
        """
        plain = number.to_bytes(_SEALED_BYTES)
        vector = self._sign(f"seal {purpose} ".encode() + plain)[:_SEALED_BYTES]
        return _encode(vector + self._mask(purpose, vector, plain))

    def unseal(self, purpose: str, text: str) -> int:
        """Returns the number of a text of `seal`. Raises Refused (`bad_link`) for all others."""
        try:
            given = _decode(text)
        except (binascii.Error, ValueError):
            raise Refused(Reason.BAD_LINK) from None
        vector, hidden = given[:_SEALED_BYTES], given[_SEALED_BYTES:]
        number = int.from_bytes(self._mask(purpose, vector, hidden)) if len(hidden) == _SEALED_BYTES else 0
        if not hmac.compare_digest(self.seal(purpose, number).encode(), text.encode()):
            raise Refused(Reason.BAD_LINK)
        return number

    def _mask(self, purpose: str, vector: bytes, value: bytes) -> bytes:
        stream = self._sign(f"mask {purpose} ".encode() + vector)
        return bytes(one ^ other for one, other in zip(value, stream, strict=False))

    def _sign(self, body: bytes) -> bytes:
        return hmac.digest(self._secret, body, sha256)


def _encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


class Paths:
    """Makes the paths of pages, and reads the parts of those that name a server or a player."""

    def __init__(self, signer: LinkSigner) -> None:
        self._signer = signer

    def server(self, guild: GuildId) -> str:
        """Returns the path of a server's first page."""
        return f"/server/{self._signer.seal('server', guild)}"

    def game(self, match: MatchId) -> str:
        """Returns the path of a finished game."""
        return f"/game/{match}-{self._signer.tag(match)}"

    def leaderboard(self, guild: GuildId, pool: Pool | None = None, season: Season | None = None) -> str:
        """Returns the path of a leaderboard; without a pool, of that with the most players."""
        chosen = [str(each) for each in (pool, season) if each is not None]
        return "/".join((self.server(guild), "leaderboard", *chosen))

    def player(self, guild: GuildId, user: UserId, pool: Pool | None = None) -> str:
        """Returns the path of a player's profile on a server. They have another one on each server."""
        path = f"{self.server(guild)}/player/{self._signer.seal(f'player {guild}', user)}"
        return path if pool is None else f"{path}/{pool}"

    def tournaments(self, guild: GuildId) -> str:
        """Returns the path of the list of tournaments."""
        return f"{self.server(guild)}/tournaments"

    def tournament(self, guild: GuildId, tournament: TournamentId) -> str:
        """Returns the path of a tournament."""
        return f"{self.server(guild)}/tournament/{tournament}"

    def ladder(self, guild: GuildId) -> str:
        """Returns the path of the ladder."""
        return f"{self.server(guild)}/ladder"

    def league(self, guild: GuildId, season: int | None = None, division: int = 1) -> str:
        """Returns the path of a division's table in a season of the league, both from 1; by default in the newest."""
        path = f"{self.server(guild)}/league"
        return path if season is None else f"{path}/{season}/{division}"

    def read_guild(self, text: str) -> GuildId:
        """Returns the server of a path. Raises Refused (`no_page`)."""
        return GuildId(self._read("server", text))

    def read_player(self, guild: GuildId, text: str) -> UserId:
        """Returns the player of a path. Raises Refused (`no_page`)."""
        return UserId(self._read(f"player {guild}", text))

    def _read(self, purpose: str, text: str) -> int:
        try:
            return self._signer.unseal(purpose, text)
        except Refused:
            raise Refused(Reason.NO_PAGE) from None
