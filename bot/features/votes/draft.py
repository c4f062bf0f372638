"""A vote game before it begins. It is in the ids of the buttons that begin it, so that it outlives the process."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Self

from bot.features.terms.default_terms import server_terms
from bot.features.terms.offered_rules import find_rules
from bot.features.terms.terms_code import encode
from bot.interactions import permissions
from bot.interactions.context import Context
from bot.request import own_id
from play.challenge.terms import Order, Terms
from play.clock import parse_duration
from play.ids import ChannelId, GuildId, Millis, RoleId, UserId
from play.refusal import Reason, Refused
from play.votes.side import MAX_PERIOD, MIN_PERIOD, NewSide
from rules.registry import NEEDS_CONSENT
from use_cases.votes import VoteGame

HOUR_MILLIS = MIN_PERIOD
"""Votes last whole hours: an id has room for two digits of them."""

_CHECK = 4
"""Digits of the sum that tells other terms apart."""


@dataclass(frozen=True, slots=True)
class VoteDraft:
    """A vote game as a manager wants it. The opponent is the user `against`, or the computer at a `level`.

    Members with `role` vote, or all. `rules` is the key of a preset; empty for the terms of the server. `check` is a
    sum of the terms that the manager has seen: these may change before a player accepts.
    """

    against: UserId
    level: int
    role: RoleId | None
    hours: int
    quorum: int
    rules: str
    check: str = ""

    def __str__(self) -> str:
        parts = (self.against, self.level, self.role or 0, self.hours, self.quorum, self.rules, self.check)
        return ".".join(map(str, parts))

    @classmethod
    def read(cls, text: str) -> Self:
        """Returns the draft of an id. Raises Refused (`old_button`)."""
        found = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)\.(\d+)\.(\d+)\.([a-z0-9-]*)\.([0-9a-f]*)", text)
        if found is None or bool(int(found[1])) == bool(int(found[2])):
            raise Refused(Reason.OLD_BUTTON)
        against, level, role, hours, quorum = map(int, found.groups()[:5])
        return cls(UserId(against), level, RoleId(role) if role else None, hours, quorum, found[6], found[7])

    @property
    def period(self) -> Millis:
        return Millis(self.hours * HOUR_MILLIS)

    async def terms(self, ctx: Context) -> Terms:
        """Returns the terms of the game, as they are now. Raises Refused (`no_preset`, `no_dot_dash`, `vote_rules`,
        `votes_need_two`)."""
        server = await permissions.server_settings(ctx)
        terms = server_terms(server)
        if self.rules:
            rules = await find_rules(ctx, self.rules)
            if rules.rule_set is not None:
                raise Refused(Reason.VOTE_RULES)
            terms = rules.put_into(terms)
        elif terms.game.key in NEEDS_CONSENT and not server.dot_dash:
            raise Refused(Reason.NO_DOT_DASH)
        if terms.game.seats != 2:
            raise Refused(Reason.VOTES_NEED_TWO)
        return replace(terms, order=Order.DRAWN, rated=False, window=None, level=self.level or None)

    def checked(self, terms: Terms) -> Self:
        """Returns the draft with the sum of its terms."""
        return replace(self, check=_sum(terms))

    async def game(self, ctx: Context, guild: GuildId, channel: ChannelId) -> VoteGame:
        """Returns the game that is to begin. Raises Refused (`vote_terms_changed`, and what `terms` raises)."""
        terms = await self.terms(ctx)
        if self.check != _sum(terms):
            raise Refused(Reason.VOTE_TERMS_CHANGED)
        opponent = own_id(ctx.interaction.client) if self.level else self.against
        side = NewSide(guild, channel, self.role, self.quorum)
        return VoteGame(guild, channel, side, opponent, self.period, terms, ctx.user)


def read_hours(typed: str) -> int:
    """Returns the hours of a vote that a manager has typed. Raises Refused (`bad_duration`, `bad_period`)."""
    length = parse_duration(typed)
    if not MIN_PERIOD <= length <= MAX_PERIOD or length % HOUR_MILLIS:
        raise Refused(Reason.BAD_PERIOD)
    return length // HOUR_MILLIS


def _sum(terms: Terms) -> str:
    return sha256(encode(terms).encode()).hexdigest()[:_CHECK]
