"""Messages about all but turns: ends, offers, take-backs and rematches, and those that only ask."""

from __future__ import annotations

import asyncio
from functools import partial

from play.ids import IdempotencyKey, Millis
from play.match.events import OfferKind
from play.match.match import Match
from play.refusal import Reason, Refused
from use_cases.match_actions import MatchActions
from use_cases.matches import Matches
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.live.pictures import picture_json
from web.live.sender import Sender, Shares
from web.live.turns import Ballots, done, idempotency_key
from web.ports import Rematches
from web.presentation.narrator import SHOW_VOTES, Narrator
from web.presentation.readers import Readers

MAX_WHAT = 32
"""Characters of what is to be described."""

CALLS = frozenset({"stop", "land"})
"""Actions that are turns."""

PROPOSALS = {"draw": OfferKind.DRAW, "end": OfferKind.END}
"""Actions that are offers."""

MAX_ACTION = 32
"""Characters of an action's key."""


class Looks:
    """Answers `describe` and `ping`."""

    def __init__(self, matches: Matches, narrator: Narrator, readers: Readers) -> None:
        self._matches = matches
        self._narrator = narrator
        self._readers = readers

    async def describe(self, sender: Sender, message: Json) -> Json:
        """Answers `describe` with a part of the board in words."""
        number, what = bodies.number(message, "id"), bodies.typed(message, "what", MAX_WHAT)
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        return {"is": "text", "id": number, "line": await self._narrator.describe(match, sender.audience, what)}

    async def ping(self, _: Sender, __: Json) -> Json:
        """Answers `ping`."""
        return {"is": "pong"}


class Deeds:
    """Answers `ask` and `act`."""

    def __init__(
        self,
        matches: Matches,
        actions: MatchActions,
        sessions: WebSessions,
        narrator: Narrator,
        readers: Readers,
        rematches: Rematches,
        shares: Shares,
        ballots: Ballots,
    ) -> None:
        self._matches = matches
        self._actions = actions
        self._sessions = sessions
        self._narrator = narrator
        self._readers = readers
        self._rematches = rematches
        self._shares = shares
        self._ballots = ballots

    async def ask(self, sender: Sender, message: Json) -> Json:
        """Answers `ask` with what an action would do."""
        number, version = bodies.number(message, "id"), bodies.number(message, "version")
        action = bodies.text(message, "action", MAX_ACTION)
        if sender.audience.seat is None and action != SHOW_VOTES:
            raise Refused(Reason.ONLY_WATCHING)
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        if version != match.version:
            raise Refused(Reason.STALE)
        if sender.audience.votes or sender.audience.seat is None:
            question = await self._ballots.ask(sender, match, action)
        else:
            asking = partial(self._narrator.ask, match, sender.user, sender.audience, action)
            question = await self._shares.run(sender.user, asking)
        picture = None if question.picture is None else await asyncio.to_thread(picture_json, question.picture)
        asked = {"line": question.line, "picture": picture, "sure": question.sure, "keep": question.keep}
        return {"is": "asked", "id": number, "version": version, **asked}

    async def act(self, sender: Sender, message: Json) -> Json:
        """Answers `act`: the action is done, once for each key."""
        key, version = bodies.key(message), bodies.number(message, "version")
        action = bodies.text(message, "action", MAX_ACTION)
        match = await self._matches.load(sender.match)
        self._readers.limits.admit_user(sender.user, match.guild)
        at, number = await self._sessions.now(), idempotency_key(sender, key)
        if sender.audience.votes:
            return await self._ballots.act(sender, match, action, key, at, number, version)
        if action == "rematch":
            begun = await self._rematches.rematch(match, sender.user, at, number)
            return await done(self._narrator, sender, key, number, match) | {"match": begun}
        after = await self._do(sender, match, action, at, number, version)
        return await done(self._narrator, sender, key, number, after)

    async def _do(
        self, sender: Sender, match: Match, action: str, at: Millis, key: IdempotencyKey, version: int
    ) -> Match:
        """Does an action. Raises Refused (`bad_message` for one that there is not)."""
        name, _, kind = action.partition(":")
        if action in CALLS:
            return await self._matches.move(match.id, sender.user, action, at, key, version=version)
        if action in PROPOSALS:
            return await self._actions.propose(match.id, sender.user, PROPOSALS[action], at, key, version=version)
        if name in ("agree", "disagree") and kind in set(OfferKind):
            answer = self._actions.agree if name == "agree" else self._actions.disagree
            return await answer(match.id, sender.user, OfferKind(kind), at, key, version=version)
        plain = {
            "resign": self._matches.resign,
            "abort": self._actions.abort,
            "takeback": self._actions.take_back,
            "resume": self._actions.resume,
        }
        if action not in plain:
            raise Refused(Reason.BAD_MESSAGE)
        return await plain[action](match.id, sender.user, at, key, version=version)
