"""A vote game begins: a manager looks at it and confirms; a member who is to play against the server has to accept.

Until then it is in the ids of the buttons that begin it, so that it outlives the process.
"""

import logging
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, NamedTuple, Self

import discord

from bot.features.match.button import MatchButton, begun_game
from bot.features.terms.drafts import encode
from bot.features.terms.offered_rules import find_rules
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, KeepAll
from bot.interactions.context import Context
from bot.interactions.layout import Part, row
from bot.markup import escape
from bot.request import own_id, time_of
from bot.services.discord_errors import describe
from bot.services.messages import fit, mentions_of
from play.challenge.terms import Order, Terms, offered_again
from play.clock.schedule import ClockSchedule, Night, parse_night
from play.ids import DAY, HOUR, MINUTE, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, RoleId, UserId
from play.refusal import Reason, Refused
from play.votes import NewSide, Side, estimate_votes
from presentation.offered_rules import require_offered, server_terms
from presentation.terms import level_label, rules_name
from presentation.words.words import Words
from presentation.words.zones import zone_name
from rules.dots import Dots
from use_cases.votes import VoteGame

log = logging.getLogger(__name__)

_CHECK = 4
"""Digits of the sum that tells other terms apart."""

USUAL_SIZE = "13x13"
"""The board without another wish: a game of some weeks. On 20x20 one takes months."""

ANSWER_MILLIS = Millis(3 * DAY)
"""The time that a member has to accept: as long as the longest vote."""


AGAIN = "again-"
"""What the rules of a rematch begin with: the number of the match follows, whose terms it has."""

_DRAFT = re.compile(
    r"(?P<against>\w+)\.(?P<level>\d+)\.(?P<role>\w+)\.(?P<time>\d+)(?P<is_minutes>m?)\.(?P<quorum>\d+)"
    r"\.(?P<rules>[a-z0-9-]*)\.(?P<check>[0-9a-f]*)(?:\.(?P<size>[0-9x]*))?(?:\.(?P<night>\d+))?"
)


class Plan(NamedTuple):
    """What a draft leads to at a moment: the terms of the game, and when votes of the server don't close."""

    terms: Terms
    schedule: ClockSchedule

    @property
    def check(self) -> str:
        """A sum that tells it apart from others."""
        night = f"{self.schedule.zone.key}{self.schedule.night}" if self.schedule.night else ""
        return sha256((encode(self.terms) + night).encode()).hexdigest()[:_CHECK]


@dataclass(frozen=True, slots=True)
class VoteDraft:
    """A vote game as a manager wants it. The opponent is the user `against`, or the computer at a `level`.

    Members with `role` vote, or all, for a `period`, and no vote closes at `night`. `rules` is the key of a preset, or
    AGAIN with the match that is played anew; empty for the terms of the server. `check` is a sum of what the manager
    has seen: it may change before a player accepts. `size` is that of the board; empty for that of the terms.
    """

    against: UserId
    level: int
    role: RoleId | None
    period: Millis
    quorum: int
    rules: str
    night: Night | None = None
    size: str = ""
    check: str = ""

    def __str__(self) -> str:
        parts = [f"x{self.against:x}", self.level, f"x{self.role or 0:x}", f"{self.period // MINUTE}m", self.quorum]
        parts += [self.rules, self.check, self.size]
        if self.night is not None:
            parts.append(self.night.start * 10_000 + self.night.end)
        return ".".join(map(str, parts))

    @classmethod
    def read(cls, text: str) -> Self:
        """Returns the draft of an id; those of earlier versions have hours and no night. Raises Refused
        (`old_button`)."""
        found = _DRAFT.fullmatch(text)
        if found is None:
            raise Refused(Reason.OLD_BUTTON)
        against, role = (
            int(f"0{each}", 16) if each[0] == "x" else int(each) for each in found.group("against", "role")
        )
        level, night = int(found["level"]), None
        if bool(against) == bool(level):
            raise Refused(Reason.OLD_BUTTON)
        if found["night"]:
            night = Night(*divmod(int(found["night"]), 10_000))
            parse_night(str(night))  # refused if there is no such night
        return cls(
            UserId(against),
            level,
            RoleId(role) if role else None,
            Millis(int(found["time"]) * (MINUTE if found["is_minutes"] else HOUR)),
            int(found["quorum"]),
            found["rules"],
            night,
            found["size"] or "",
            found["check"],
        )

    async def plan(self, ctx: Context) -> Plan:
        """Returns the terms of the game and when its votes don't close, as both are now. Raises Refused (`no_preset`,
        `no_dot_dash`, `vote_rules`, `votes_need_two`), and RuleError for a size that the rules don't have."""
        server = await permissions.server_settings(ctx)
        terms = server_terms(server)
        if self.rules.startswith(AGAIN):
            played, side = await _played(ctx, MatchId(int(self.rules.removeprefix(AGAIN))))
            order = Order.LAST if side.seat == 0 else Order.FIRST
            terms = replace(played, game=offered_again(played.game), order=order)
        elif self.rules:
            rules = await find_rules(ctx, self.rules)
            if rules.rule_set is not None:
                raise Refused(Reason.VOTE_RULES)
            terms = replace(rules.put_into(terms), order=Order.DRAWN)
        else:
            terms = replace(terms, order=Order.DRAWN)
        require_offered(server, terms.game)
        if terms.game.seats != 2:
            raise Refused(Reason.VOTES_NEED_TWO)
        game = terms.game.with_options({"size": self.size}) if self.size else terms.game
        schedule = await ctx.use_cases.votes.schedule(permissions.require_guild(ctx), self.night)
        return Plan(replace(terms, game=game, rated=False, window=None, level=self.level or None), schedule)

    def length(self, plan: Plan) -> Millis:
        """Returns about how long a game takes where each vote is open to its end and a member who plays against the
        server takes as long."""
        return estimate_votes(
            plan.terms.game, (plan.schedule.average(self.period), Millis(0) if self.level else self.period)
        )

    async def checked_plan(self, ctx: Context) -> Plan:
        """Returns the plan. Raises Refused (`vote_terms_changed`, and what `plan` raises)."""
        plan = await self.plan(ctx)
        if self.check != plan.check:
            raise Refused(Reason.VOTE_TERMS_CHANGED)
        return plan


async def _played(ctx: Context, match: MatchId) -> tuple[Terms, Side]:
    """Returns the terms of a game that this server has played, and its side. Raises Refused (`no_vote_game_here`)."""
    async with ctx.services.store.read() as reader:
        challenge, sides = await reader.challenges.of_match(match), await reader.votes.of_match(match)
    side = next((side for side in sides if side.guild == ctx.guild), None)
    if challenge is None or side is None:
        raise Refused(Reason.NO_VOTE_GAME_HERE)
    return challenge.terms, side


class BeginVotes(Component, id=ids.VOTE_BEGIN):
    """Begins the game that the manager has looked at, or asks the opponent."""

    draft: str

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await permissions.require_manage_server(ctx)
        await permissions.require_managed_channel(ctx)
        draft, panel = VoteDraft.read(self.draft), ctx.interaction.message
        if draft.level or draft.against == ctx.user:
            assert panel is not None, "the panel has the button"
            await ctx.show(await _begin(ctx, draft, IdempotencyKey(panel.id)))  # a double click begins one game
            return
        plan, place = await draft.checked_plan(ctx), await _place(ctx)
        ctx.services.gate.count_card(place)
        await _post_card(ctx, place, draft, plan)
        words = await ctx.words()
        await ctx.show([words("vote.asked", channel=words.channel(place))])


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
        thread = ChannelId(card.id) if await permissions.opens_thread(ctx, ctx.channel) else None
        parts = await _begin(ctx, draft, IdempotencyKey(card.id), thread)
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
    plan, words = await draft.plan(ctx), await ctx.words()
    if not (draft.size or draft.rules.startswith(AGAIN)) and isinstance(plan.terms.game, Dots):
        draft = replace(draft, size=USUAL_SIZE)
        plan = await draft.plan(ctx)
    size = draft.size and plan.terms.game.options["size"]
    draft = replace(draft, check=plan.check, size=size)
    asks = not draft.level and draft.against != ctx.user
    side = escape(await side_name(ctx, ctx.guild, draft, words))
    opponent = await _opponent_name(ctx, ctx.guild, draft, words)
    channel = words.channel(await _place(ctx))
    lines = [words("vote.begin.ask"), words("vote.begin.who", side=side, opponent=opponent, channel=channel)]
    lines += [f"- {line}" for line in _rules_lines(draft, plan, words)]
    label = words("button.vote_ask" if asks else "button.vote_begin")
    await ctx.show(["\n".join(lines), [BeginVotes.make(label, draft=str(draft)), KeepAll.to(words)]])


async def _opponent_name(ctx: Context, guild: GuildId, draft: VoteDraft, words: Words) -> str:
    """Returns the escaped name of the opponent, or which level the computer plays."""
    if draft.level:
        return words("card.level", level=level_label(draft.level, words))
    return escape(await ctx.services.names.of(draft.against, guild))


async def side_name(ctx: Context, guild: GuildId, draft: VoteDraft, words: Words) -> str:
    """Returns the plain name of the side: that of the role or of the server."""
    return await ctx.services.names.of_side(guild, draft.role) or words("vote.side")


async def _begin(ctx: Context, draft: VoteDraft, key: IdempotencyKey, thread: ChannelId | None = None) -> list[Part]:
    """Begins the game where it belongs, in the `thread` of its card or of a message that tells members of it; returns
    what the user is told. Raises Refused."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    plan, place = await draft.checked_plan(ctx), await _place(ctx)
    opponent = own_id(ctx.interaction.client) if draft.level else draft.against
    if draft.level:
        ctx.services.coach.advisor(ctx.user)  # refused where the operator has no computer
    call = None
    if thread is None and await permissions.opens_thread(ctx, place):
        call = await _post_call(ctx, place, draft, key)
    side = NewSide(ctx.guild, place, draft.role, draft.quorum, plan.schedule)
    game = VoteGame(ctx.guild, place, side, opponent, draft.period, plan.terms, ctx.user, call or thread)
    try:
        match = await ctx.use_cases.votes.begin(game, ctx.at, key)
    except Refused:
        if call is not None:
            with suppress(discord.HTTPException):
                await ctx.services.channels.delete(place, MessageId(call))
        raise
    return await begun_game(ctx, match)


async def _place(ctx: Context) -> ChannelId:
    """Returns where the game belongs that is asked for here: no side has played another game. Raises Refused."""
    return await permissions.require_place_for(ctx, (None,), 2)


async def _post_call(ctx: Context, place: ChannelId, draft: VoteDraft, key: IdempotencyKey) -> ChannelId:
    """Tells members of the game, in the language of the server; returns the thread that opens from the message. Raises
    discord.HTTPException."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    words = await ctx.services.locales.for_guild(ctx.guild, ctx.user)
    names = {"side": escape(await side_name(ctx, ctx.guild, draft, words))}
    names["opponent"] = await _opponent_name(ctx, ctx.guild, draft, words)
    content = {"content": fit(words("vote.call", **names)), "allowed_mentions": mentions_of([])}
    posted = await ctx.services.channels.post(place, lambda: content, f"{key}:call", guild=ctx.guild)
    return ChannelId(posted)


async def _post_card(ctx: Context, place: ChannelId, draft: VoteDraft, plan: Plan) -> None:
    """Asks the opponent, in the language of the server. Raises discord.HTTPException."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    words = await ctx.services.locales.for_guild(ctx.guild, ctx.user)
    until = Millis(ctx.at + ANSWER_MILLIS)
    text = words(
        "vote.card",
        opponent=f"<@{draft.against}>",
        side=escape(await side_name(ctx, ctx.guild, draft, words)),
        rules="\n".join(f"- {line}" for line in _rules_lines(draft, plan, words)),
        when=words.until(until, ctx.at),
    )

    def message() -> dict[str, Any]:
        answers = (
            AcceptVotes.make(words("button.accept"), draft=str(draft)),
            DeclineVotes.make(words("button.decline"), draft=str(draft)),
        )
        return {"content": text, "view": row(*answers), "allowed_mentions": mentions_of([draft.against])}

    await ctx.services.channels.post(place, message, f"{ctx.key}:vote", guild=ctx.guild)


def _rules_lines(draft: VoteDraft, plan: Plan, words: Words) -> list[str]:
    """Returns the rules, who votes, for how long, and when not."""
    terms = plan.terms
    rules = rules_name(terms.game.key, terms.rule_set, words)
    voters = words("vote.begin.role", role=f"<@&{draft.role}>") if draft.role else words("vote.begin.all")
    return [
        f"{rules} {terms.game.options['size'].replace('x', '×')}",
        f"{voters} {words('vote.begin.rules')}",
        words("vote.begin.time", time=words.duration(draft.period), count=draft.quorum),
        night_line(plan.schedule, words),
        words("vote.begin.length", time=words.duration(draft.length(plan))),
    ]


def night_line(schedule: ClockSchedule, words: Words) -> str:
    """Returns when votes of a server don't close."""
    if schedule.night is None:
        return words("vote.begin.no_night")
    return words("vote.begin.night", night=str(schedule.night), zone=zone_name(schedule.zone, words.locale))


class VoteAgain(MatchButton, id=ids.VOTE_AGAIN):
    """Shows a manager the same game once more, with the other one to move first, and asks whether it is to begin."""

    style = discord.ButtonStyle.primary

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        if not permissions.manages_server(ctx):
            raise Refused(Reason.VOTE_REMATCH)
        await permissions.require_manage_server(ctx)
        await permissions.require_managed_channel(ctx)
        match = await ctx.load_match(self.match)
        terms, side = await _played(ctx, match.id)
        level = terms.level or 0
        draft = VoteDraft(
            UserId(0) if level else match.players[1 - side.seat],
            level,
            None if side.lacks_role else side.role,
            side.period,
            side.quorum,
            f"{AGAIN}{match.id}",
            match.clock.schedules[side.seat].night,
        )
        await ask_to_begin(ctx, draft)


BUTTONS: tuple[type[Component], ...] = (BeginVotes, AcceptVotes, DeclineVotes, VoteAgain)
