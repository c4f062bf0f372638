"""Messages about all but turns: ends, offers, take-backs and rematches."""

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
from web.bodies import Json
from web.live import fields
from web.live.ballots import Ballots
from web.live.pictures import picture_json
from web.live.sender import Sender
from web.live.shares import Shares
from web.live.turns import done, idempotency_key
from web.ports import Rematches
from web.presentation.narrator import SHOW_VOTES, Narrator
from web.presentation.readers import Readers

CALLS = frozenset({"stop", "land"})
"""Actions that are turns."""

PROPOSALS = {"draw": OfferKind.DRAW, "end": OfferKind.END}
"""Actions that are offers."""

MAX_ACTION = 32
"""Characters of an action's key."""


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
        number, version = fields.number(message, "id"), fields.number(message, "version")
        action = fields.text(message, "action", MAX_ACTION)
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
        key, version = fields.key(message), fields.number(message, "version")
        action = fields.text(message, "action", MAX_ACTION)
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
