"""Messages about turns: what a turn would do, and playing it, or voting for it."""

from __future__ import annotations

import asyncio
from functools import partial
from hashlib import sha256

from play.clock import Speed
from play.ids import IdempotencyKey, UserId
from play.match.match import Match
from play.match.moves import acting_seat
from play.refusal import Reason, Refused
from play.votes.vote import Choice
from use_cases.matches import Matches
from use_cases.web_sessions import WebSessions
from web.bodies import Json
from web.live import fields
from web.live.ballots import Ballots
from web.live.ghosts import ghost
from web.live.sender import Sender
from web.live.shares import Shares
from web.presentation.narrator import Narrator
from web.presentation.readers import Readers

MAX_STEPS = 200
"""Steps of a turn: a chain round the largest board is longer, but nobody draws it."""

MAX_TURN = 2000
"""Characters of a turn in its notation."""

FIRST_KEY = 2**62
"""The first idempotency key of the web. Discord's ids reach it in the year 2049."""


class Turns:
    """Answers `try` and `play`."""

    def __init__(
        self,
        matches: Matches,
        sessions: WebSessions,
        narrator: Narrator,
        readers: Readers,
        shares: Shares,
        ballots: Ballots,
    ) -> None:
        self._matches = matches
        self._sessions = sessions
        self._narrator = narrator
        self._readers = readers
        self._shares = shares
        self._ballots = ballots

    async def preview(self, sender: Sender, message: Json) -> Json:
        """Answers `try` with a ghost."""
        number, steps = fields.number(message, "id"), fields.steps(message, MAX_STEPS)
        version = fields.number(message, "version")
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        require_turn(match, sender.account_in(match))
        if version != match.version:
            raise Refused(Reason.STALE)
        words = self._readers.words(sender.audience.language)
        shown = await self._shares.run(sender.user, partial(asyncio.to_thread, ghost, match, steps, words))
        return {"is": "ghost", "id": number, "version": version, **shown}

    async def play(self, sender: Sender, message: Json) -> Json:
        """Answers `play`: the turn is played, once for each key."""
        key, version = fields.key(message), fields.number(message, "version")
        turn = fields.typed(message, "turn", MAX_TURN)
        match = await self._matches.load(sender.match)
        self._readers.limits.admit_user(sender.user, match.guild)
        at = await self._sessions.now()
        number = idempotency_key(sender, key)
        if sender.audience.votes:
            return await self._ballots.cast(sender, match, Choice.MOVE, turn, key, at, number, version)
        after = await self._matches.move(sender.match, sender.user, turn, at, number, version=version)
        return await done(self._narrator, sender, key, number, after) | await self._next_game(sender, after)

    async def _next_game(self, sender: Sender, after: Match) -> Json:
        """Returns the way to the next game that waits for the player of a game over days; a live one goes on at
        once."""
        if after.clock.control.speed is Speed.LIVE:
            return {}
        waiting = await self._matches.waiting_for(sender.user, after.id)
        if not waiting:
            return {}
        words = self._readers.words(sender.audience.language)
        label = words("games.next", number=len(waiting))
        opens = await self._readers.opens_next(sender.user)
        return {"next": {"match": waiting[0].id, "label": label, "opens": opens}}


async def done(narrator: Narrator, sender: Sender, key: str, number: IdempotencyKey, after: Match) -> Json:
    """Returns the answer to a deed, also to one that was sent before."""
    happened = [version for version, event in enumerate(after.events, 1) if event.key == number]
    version = happened[0] if happened else after.version
    return {"is": "done", "id": key, "version": version, "line": await narrator.story(after, sender.audience)}


def idempotency_key(sender: Sender, key: str) -> IdempotencyKey:
    """Returns the key of a deed among those of Discord and of the program: the same for the same user, match and key of
    the browser, in any process."""
    return deed_key(sender.user, str(sender.match), key)


def deed_key(user: UserId, about: str, key: str) -> IdempotencyKey:
    """Returns the key of a deed of a user, as `idempotency_key` does for one that is `about` a match."""
    digest = sha256(f"{user} {about} {key}".encode()).digest()
    return IdempotencyKey(FIRST_KEY + int.from_bytes(digest[:8]) % FIRST_KEY)


def require_turn(match: Match, account: UserId) -> None:
    """Raises Refused unless it is the turn of an account."""
    if acting_seat(match, account) != match.to_act:
        raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
