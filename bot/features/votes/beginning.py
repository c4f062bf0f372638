"""A vote game begins: a manager looks at it and confirms; a member who is to play against the server has to accept.

Until then it is in the ids of the buttons that begin it, so that it outlives the process.
"""

import logging
import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Self

import discord

from bot.features.match.button import begun_game
from bot.features.terms.drafts import encode
from bot.features.terms.offered_rules import find_rules, require_offered, server_terms
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, KeepAll
from bot.interactions.context import Context
from bot.interactions.layout import Part, row
from bot.request import own_id, time_of
from bot.services.discord_errors import describe
from bot.services.messages import fit, mentions_of
from play.challenge.terms import Order, Terms
from play.clock import parse_duration
from play.ids import DAY, ChannelId, GuildId, IdempotencyKey, Millis, RoleId, UserId
from play.match.length import estimate
from play.refusal import Reason, Refused
from play.votes import MAX_PERIOD, MIN_PERIOD, NewSide
from presentation.terms import level_label, rules_name
from presentation.text import escape
from presentation.words.words import Words
from rules.dots import Dots
from rules.game import AnyGame
from use_cases.votes import VoteGame

log = logging.getLogger(__name__)

HOUR_MILLIS = MIN_PERIOD
"""Votes last whole hours: an id has room for two digits of them."""

_CHECK = 4
"""Digits of the sum that tells other terms apart."""

USUAL_SIZE = "13x13"
"""The board without another wish: a game of some weeks. On 20x20 one takes months."""

ANSWER_MILLIS = Millis(3 * DAY)
"""The time that a member has to accept: as long as the longest vote."""


@dataclass(frozen=True, slots=True)
class VoteDraft:
    """A vote game as a manager wants it. The opponent is the user `against`, or the computer at a `level`.

    Members with `role` vote, or all. `rules` is the key of a preset; empty for the terms of the server. `check` is a
    sum of the terms that the manager has seen: these may change before a player accepts. `size` is that of the board;
    empty in the ids of earlier versions, for that of the terms.
    """

    against: UserId
    level: int
    role: RoleId | None
    hours: int
    quorum: int
    rules: str
    check: str = ""
    size: str = ""

    def __str__(self) -> str:
        parts = (self.against, self.level, self.role or 0, self.hours, self.quorum, self.rules, self.check)
        return ".".join(map(str, (*parts, self.size) if self.size else parts))

    @classmethod
    def read(cls, text: str) -> Self:
        """Returns the draft of an id. Raises Refused (`old_button`)."""
        found = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)\.(\d+)\.(\d+)\.([a-z0-9-]*)\.([0-9a-f]*)(?:\.([0-9x]+))?", text)
        if found is None or bool(int(found[1])) == bool(int(found[2])):
            raise Refused(Reason.OLD_BUTTON)
        against, level, role, hours, quorum = map(int, found.groups()[:5])
        voters = RoleId(role) if role else None
        return cls(UserId(against), level, voters, hours, quorum, found[6], found[7], found[8] or "")

    @property
    def period(self) -> Millis:
        return Millis(self.hours * HOUR_MILLIS)

    def length(self, game: AnyGame) -> Millis:
        """Returns about how long a game takes where each vote is open to its end and a member who plays against the
        server takes as long."""
        return estimate(game, Millis(self.period // 2) if self.level else self.period)

    async def terms(self, ctx: Context) -> Terms:
        """Returns the terms of the game, as they are now. Raises Refused (`no_preset`, `no_dot_dash`, `vote_rules`,
        `votes_need_two`), and RuleError for a size that the rules don't have."""
        server = await permissions.server_settings(ctx)
        terms = server_terms(server)
        if self.rules:
            rules = await find_rules(ctx, self.rules)
            if rules.rule_set is not None:
                raise Refused(Reason.VOTE_RULES)
            terms = rules.put_into(terms)
        else:
            require_offered(server, terms.game)
        if terms.game.seats != 2:
            raise Refused(Reason.VOTES_NEED_TWO)
        game = terms.game.with_options({"size": self.size}) if self.size else terms.game
        return replace(terms, game=game, order=Order.DRAWN, rated=False, window=None, level=self.level or None)

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


class BeginVotes(Component, id=ids.VOTE_BEGIN):
    """Begins the game that the manager has looked at, or asks the opponent."""

    draft: str

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await permissions.require_manage_server(ctx)
        await permissions.require_managed_channel(ctx)
        draft = VoteDraft.read(self.draft)
        if draft.level or draft.against == ctx.user:
            await ctx.show(await _begin(ctx, draft, ctx.key))
            return
        terms = await draft.terms(ctx)
        if draft.checked(terms) != draft:
            raise Refused(Reason.VOTE_TERMS_CHANGED)
        place = await _place(ctx)
        ctx.services.gate.count_card(place)
        await _post_card(ctx, place, draft, terms)
        words = await ctx.words()
        await ctx.show([words("vote.asked")])


class CardButton(Component):
    """A button of the card that asks a member to play against the server. No press of another user counts."""

    draft: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        permissions.require_guild(ctx)
        draft, message = VoteDraft.read(self.draft), ctx.interaction.message
        if draft.against != ctx.user:
            raise Refused(Reason.VOTE_NOT_ASKED)
        assert message is not None, "the card has the button"
        if ctx.at > time_of(message.id) + ANSWER_MILLIS:
            await self._replace_card(ctx, draft, message, "over")
            raise Refused(Reason.CHALLENGE_EXPIRED)
        await self.answer(ctx, draft, message)

    async def answer(self, ctx: Context, draft: VoteDraft, card: discord.Message) -> None:
        """Answers the card in time. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError

    async def _replace_card(self, ctx: Context, draft: VoteDraft, card: discord.Message, how: str) -> None:
        """Says on the card how it was answered, in place of its buttons. Nothing waits for that."""
        assert ctx.guild is not None, "the card is on a server"
        words = await ctx.services.locales.for_guild(ctx.guild)
        names = {"opponent": escape(await ctx.services.names.of(draft.against, ctx.guild))}
        names["side"] = escape(await side_name(ctx, ctx.guild, draft, words))
        try:
            await card.edit(content=fit(words(f"vote.card.{how}", **names)), view=None)
        except discord.HTTPException as error:
            log.info("card %d keeps its buttons: %s", card.id, describe(error))


class AcceptVotes(CardButton, id=ids.VOTE_ACCEPT):
    """Begins the game. One card makes one game."""

    style = discord.ButtonStyle.success

    async def answer(self, ctx: Context, draft: VoteDraft, card: discord.Message) -> None:
        await permissions.require_player(ctx)
        parts = await _begin(ctx, draft, IdempotencyKey(card.id))
        await self._replace_card(ctx, draft, card, "accepted")
        await ctx.show(parts)


class DeclineVotes(CardButton, id=ids.VOTE_DECLINE):
    """Declines the game."""

    async def answer(self, ctx: Context, draft: VoteDraft, card: discord.Message) -> None:
        await self._replace_card(ctx, draft, card, "declined")
        words = await ctx.words()
        await ctx.show([words("vote.declined")])


async def ask_to_begin(ctx: Context, draft: VoteDraft) -> None:
    """Shows the manager the game, and asks whether it is to begin: without a size, on a small board. The interaction
    is acknowledged. Raises Refused and RuleError."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    terms, words = await draft.terms(ctx), await ctx.words()
    if not draft.size and isinstance(terms.game, Dots):
        draft = replace(draft, size=USUAL_SIZE)
        terms = await draft.terms(ctx)
    draft = draft.checked(terms)
    asks = not draft.level and draft.against != ctx.user
    if draft.level:
        opponent = words("card.level", level=level_label(draft.level, words))
    else:
        opponent = escape(await ctx.services.names.of(draft.against, ctx.guild))
    side = escape(await side_name(ctx, ctx.guild, draft, words))
    lines = [words("vote.begin.ask"), words("vote.begin.who", side=side, opponent=opponent)]
    lines += [f"- {line}" for line in _rules_lines(draft, terms, words)]
    label = words("button.vote_ask" if asks else "button.vote_begin")
    await ctx.show(["\n".join(lines), [BeginVotes.make(label, draft=str(draft)), KeepAll.to(words)]])


async def side_name(ctx: Context, guild: GuildId, draft: VoteDraft, words: Words) -> str:
    """Returns the plain name of the side: that of the role or of the server."""
    return await ctx.services.names.of_side(guild, draft.role) or words("vote.side")


async def _begin(ctx: Context, draft: VoteDraft, key: IdempotencyKey) -> list[Part]:
    """Begins the game where it belongs; returns what the user is told. Raises Refused."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    game = await draft.game(ctx, ctx.guild, await _place(ctx))
    if draft.level:
        ctx.services.coach.advisor(ctx.user)  # refused where the operator has no computer
    match = await ctx.use_cases.votes.begin(game, ctx.at, key)
    return await begun_game(ctx, match)


async def _place(ctx: Context) -> ChannelId:
    """Returns where the game belongs that is asked for here: no side has played another game. Raises Refused."""
    return await permissions.require_place_for(ctx, (None,), 2)


async def _post_card(ctx: Context, place: ChannelId, draft: VoteDraft, terms: Terms) -> None:
    """Asks the opponent, in the language of the server. Raises discord.HTTPException."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    words = await ctx.services.locales.for_guild(ctx.guild, ctx.user)
    until = Millis(ctx.at + ANSWER_MILLIS)
    text = words(
        "vote.card",
        opponent=f"<@{draft.against}>",
        side=escape(await side_name(ctx, ctx.guild, draft, words)),
        rules="\n".join(f"- {line}" for line in _rules_lines(draft, terms, words)),
        when=words.until(until),
    )

    def message() -> dict[str, Any]:
        answers = (
            AcceptVotes.make(words("button.accept"), draft=str(draft)),
            DeclineVotes.make(words("button.decline"), draft=str(draft)),
        )
        return {"content": text, "view": row(*answers), "allowed_mentions": mentions_of([draft.against])}

    await ctx.services.channels.post(place, message, f"{ctx.key}:vote", guild=ctx.guild)


def _rules_lines(draft: VoteDraft, terms: Terms, words: Words) -> list[str]:
    """Returns the rules, who votes, and for how long."""
    rules = rules_name(terms.game.key, terms.rule_set, words)
    voters = words("vote.begin.role", role=f"<@&{draft.role}>") if draft.role else words("vote.begin.all")
    return [
        f"{rules} {terms.game.options['size'].replace('x', '×')}",
        f"{voters} {words('vote.begin.rules')}",
        words("vote.begin.time", time=words.duration(draft.period), count=draft.quorum),
        words("vote.begin.length", time=words.duration(draft.length(terms.game))),
    ]


BUTTONS: tuple[type[Component], ...] = (BeginVotes, AcceptVotes, DeclineVotes)
