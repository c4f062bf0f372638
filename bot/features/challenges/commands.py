"""`/challenge`, a menu of people, and the first game of a newcomer: their terms, and the card that they post."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.addresses import game_link, link
from bot.features.friends import show_invitation
from bot.features.match.button import begun_game
from bot.features.strangers import play_panel
from bot.features.terms.drafts import TermsBasis, TermsTarget, encode, read_target
from bot.features.terms.offered_rules import chosen_terms, default_terms, name_rules, offered_rules, suggest_rules
from bot.features.terms.terms_menus import STARTS, find_conflict
from bot.features.terms.terms_panel import read_draft, terms_panel
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.commands import Command, Menu, level_choices, suggest_options
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import MAX_HINT, MAX_OPTION, Control, Part, button, link_button
from bot.request import own_id
from bot.services.guild_directory import WITH_THREADS
from opponent.choice import DEFAULT_LEVEL, EASIEST
from play.challenge.terms import FIRST_GAME, USUAL_CONTROL, Order, Terms, parse_window
from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT, TimeAgreement
from play.codes import MAX_TYPED as MAX_CODE
from play.community.seek import SeekId
from play.ids import ChannelId, GuildId, UserId
from play.match.listed import OpenMatch
from play.refusal import Reason, Refused
from presentation.offered_rules import CLOCKS, SIZES, require_offered
from presentation.terms import MAX_SUGGESTIONS, MAX_TYPED, read_options
from presentation.typed import typed_time
from rules.game import BadOption, RuleError
from rules.registry import DEFAULT, make_game, with_seats
from use_cases.keyed_locks import KeyedLocks

NEWCOMER_TERMS = Terms(FIRST_GAME, USUAL_CONTROL, Order.FIRST, level=EASIEST)
"""The player moves first, and has days for it: nobody loses a first game by the clock while they read the rules."""

LOCKS = KeyedLocks[UserId]()
"""A player begins one first game, however often they press."""

BREAKS = {
    "none": NO_AGREEMENT,
    "nights": TimeAgreement(quiet=True),
    "weekends": TimeAgreement(quiet=True, weekends=True),
    "all": TimeAgreement(quiet=True, weekends=True, vacation=True),
    "vacations": TimeAgreement(vacation=True),
}
"""The spans in which clocks can stop by agreement. *Change…* offers all others."""

PANEL_FIRST = "panel"
"""The typed option that shows the challenge in the panel before its card is posted."""

MAX_WINDOW = 11
"""Characters of a range of ratings: `1400 - 1600`."""


@dataclass(frozen=True, slots=True)
class NewChallenge(TermsTarget):
    """A challenge to `opponent`, or to anyone (None), that is not posted yet."""

    kind: ClassVar[str] = "new"
    opponent: UserId | None = None

    def __str__(self) -> str:
        return f"n{self.opponent or 0}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = re.fullmatch(r"n(\d{1,20})", text)
        return cls(UserId(int(found[1])) or None) if found else None

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis(None, ctx.user, opponent=self.opponent)

    async def own_parts(self, ctx: Context, draft: Terms) -> list[Part]:
        named = own_id(ctx.interaction.client) if draft.level is not None else self.opponent
        return [[await NameOpponent.of(ctx, self, draft, named)]]

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        server = await permissions.require_playable_channel(ctx, alone=terms.level is not None)
        require_offered(server, terms.game)
        return await post_challenge(ctx, self.opponent, terms, await keep_button(ctx, terms))


class NameOpponent(Component, id=ids.NAME_OPPONENT):
    """The select of the player whom a new challenge asks: nobody in particular, a friend, or the bot itself, which
    plays."""

    kind = discord.ComponentType.user_select
    target: str
    draft: str

    @classmethod
    async def of(cls, ctx: Context, target: NewChallenge, draft: Terms, named: UserId | None) -> Self:
        """Returns the select, in which the user who is `named` is chosen."""
        words = await ctx.words()
        chosen = [discord.SelectDefaultValue(id=named, type=discord.SelectDefaultValueType.user)] if named else []
        return cls(
            discord.ui.UserSelect(
                custom_id=cls.id_form(target=target, draft=encode(draft)),
                placeholder=words("terms.opponent")[:MAX_HINT],
                min_values=0,
                default_values=chosen,
            )
        )

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        draft, target, note = read_draft(self.draft), read_target(self.target), ""
        try:
            target, draft = await name_opponent(ctx, draft, next(iter(self.item.values), None))
        except Refused as refused:
            words = await ctx.words()
            note = await errors.explain(ctx.services, words, ctx.request, refused)
        await ctx.show(await terms_panel(ctx, target, draft, note))


async def name_opponent(ctx: Context, draft: Terms, chosen: discord.User | None) -> tuple[NewChallenge, Terms]:
    """Returns a new challenge to the user who was `chosen`, and its draft, in which the computer has a level if it is
    that. Raises Refused."""
    if chosen is not None and chosen.id == own_id(ctx.interaction.client):
        ctx.services.coach.advisor(ctx.user)
        return NewChallenge(), replace(draft, level=draft.level or DEFAULT_LEVEL, rated=False)
    if chosen is not None and chosen.bot:
        raise Refused(Reason.OPPONENT_IS_BOT)
    if chosen is not None and chosen.id == ctx.user:
        raise Refused(Reason.CHALLENGE_SELF)
    if chosen is not None:
        ctx.services.names.remember(chosen, ctx.guild)
    if draft.level is not None:
        draft = replace(draft, level=None, rated=(await default_terms(ctx)).rated)
    return NewChallenge(UserId(chosen.id) if chosen else None), draft


async def post_challenge(
    ctx: Context, opponent: UserId | None, terms: Terms, more: Sequence[Control] = ()
) -> list[Part]:
    """Posts the challenge, and returns what the player is told: the way to the game if it has begun, else to the card,
    with the button that withdraws it, and with `more`. The player may play here. Raises Refused."""
    computer, terms = own_id(ctx.interaction.client) if terms.level else None, await name_rules(ctx, terms)
    opponent = computer or opponent
    place = await permissions.require_place_for(ctx, (ctx.user, opponent), terms.game.seats)
    ctx.services.gate.count_card(place)
    offer = await ctx.use_cases.challenges.challenge(ctx.user, opponent, ctx.guild, place, terms, ctx.at, ctx.key)
    card = await ctx.services.cards.post(offer)
    warning = await _place_warning(ctx)
    match = (await ctx.use_cases.challenges.load(offer.id)).match
    if match is not None:
        return await begun_game(ctx, await ctx.load_match(match), warning, more)
    words = await ctx.words()
    posted = words("challenge.posted", url=link(ctx.guild, place, card))
    withdraw = button(ids.WITHDRAW_OWN(challenge=offer.id), words("button.withdraw"))
    return ["\n".join(filter(None, (posted, warning))), [withdraw, *more]]


async def _place_warning(ctx: Context) -> str:
    """Returns which permissions the bot lacks for the threads that the server wants, and that slow mode holds up a game
    in the channel itself; empty if neither is so. A thread of the bot has no slow mode."""
    channel, words = ctx.interaction.channel, await ctx.words()
    missing = permissions.missing_permissions(ctx, permissions.THREAD_PERMISSIONS)
    wanted = ctx.interaction.is_guild_integration() and (await permissions.server_settings(ctx)).threads
    in_thread = wanted and not missing and channel is not None and channel.type in WITH_THREADS
    lines = []
    if missing and wanted:
        lines.append(words("check.threads", permissions=permissions.permission_names(missing, words)))
    if not in_thread and getattr(channel, "slowmode_delay", None):
        lines.append(words("check.slow_mode"))
    return "\n".join(lines)


async def keep_button(ctx: Context, terms: Terms) -> list[Control]:
    """Returns the button that makes the terms of a challenge the player's defaults; none if they are it already."""
    base = await default_terms(ctx)
    kept = replace(terms, level=None, window=None, rated=terms.rated if terms.level is None else base.rated)
    if kept == base:
        return []
    words = await ctx.words()
    return [button(ids.TERMS(target="me", draft=encode(kept), way="save"), words("terms.keep"))]


class ChallengeSomeone(Component, id=ids.CHALLENGE_SOMEONE):
    """Opens the panel of a new challenge for the user who presses it, as `/challenge` does."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await terms_panel(ctx, NewChallenge(), await default_terms(ctx)))


class PlayNewcomer(Component, id=ids.NEWCOMER):
    """Begins the game of the user who presses it. Show it only where `ctx.services.coach` has the computer."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show_below(await begin_newcomer_game(ctx))


class PlayMeanwhile(Component, id=ids.MEANWHILE):
    """Begins a game against the computer that lasts until the opponent of a search is there."""

    seek: SeekId

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        before = {entry.id for entry in await ctx.use_cases.matches.list_open(ctx.user)}
        parts = await begin_newcomer_game(ctx)
        begun = [entry.id for entry in await ctx.use_cases.matches.list_open(ctx.user) if entry.id not in before]
        if begun:
            await ctx.use_cases.seeks.play_meanwhile(self.seek, ctx.user, begun[-1])
        await ctx.show_below(parts)


async def begin_newcomer_game(ctx: Context) -> list[Part]:
    """Begins the game where the interaction is, and returns what the player is told: the way to it.

    A player whose first game here is still open is led to that one. The interaction is acknowledged. Raises Refused.
    """
    ctx.services.coach.advisor(ctx.user)
    async with LOCKS.of(ctx.user):  # the second of two quick presses finds the game of the first
        opened, computer = await ctx.use_cases.matches.list_open(ctx.user), own_id(ctx.interaction.client)
        if (running := running_game(opened, computer, ctx.guild, ctx.channel)) is not None:
            words, address = await ctx.words(), game_link(running, running.board)
            return [words("newcomer.running"), [link_button(words("button.go"), address)]]
        await permissions.require_playable_channel(ctx, alone=True)
        return await post_challenge(ctx, None, NEWCOMER_TERMS)


def running_game(
    opened: Iterable[OpenMatch], computer: UserId, guild: GuildId | None, channel: ChannelId
) -> OpenMatch | None:
    """Returns that of a player's open games which is on this board against the computer: on a server, or without one in
    a private channel."""
    for entry in opened:
        here = entry.guild == guild if guild else entry.channel == channel
        is_small = entry.game.options["size"] == NEWCOMER_TERMS.game.options["size"]
        if here and computer in entry.players and is_small and not entry.lost:
            return entry
    return None


async def challenge(
    ctx: Context,
    opponent: discord.User | None = None,
    rules: str | None = None,
    size: str | None = None,
    start: str | None = None,
    clock: str | None = None,
    options: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    breaks: str | None = None,
    colour: str | None = None,
    players: app_commands.Range[int, 2, 4] | None = None,
    computer: int | None = None,
    rated: bool | None = None,
    ratings: app_commands.Range[str, 1, MAX_WINDOW] | None = None,
    anyone: bool | None = None,
    code: app_commands.Range[str, 1, MAX_CODE] | None = None,
) -> None:
    if code is not None:
        await show_invitation(ctx, code)
        return
    if anyone:
        await ctx.show(await play_panel(ctx))
        return
    level = _invited_level(ctx, opponent, computer)
    await permissions.require_playable_channel(ctx, alone=level is not None)
    if opponent is not None:
        ctx.services.names.remember(opponent, ctx.guild)
    terms = await _by_rules(ctx, rules, players)
    terms = replace(
        terms,
        control=parse_control(typed_time(clock)) if clock else terms.control,
        order=Order(colour) if colour else terms.order,
        rated=rated if rated is not None else terms.rated and level is None,
        window=parse_window(ratings) if ratings and opponent is None else None,
        agreement=replace(BREAKS[breaks], play_out=terms.agreement.play_out) if breaks else terms.agreement,
        level=level,
    )
    given = {"size": size, "start": start}
    wanted = {option: value for option, value in given.items() if value}
    target = NewChallenge(UserId(opponent.id) if opponent and level is None else None)
    await _offer(ctx, target, terms, wanted, (options or "").strip())


async def challenge_menu(ctx: Context, opponent: discord.User) -> None:
    target, terms = await name_opponent(ctx, await default_terms(ctx), opponent)
    await permissions.require_playable_channel(ctx, alone=terms.level is not None)
    await ctx.show(await terms_panel(ctx, target, terms))


async def _by_rules(ctx: Context, rules: str | None, seats: int | None) -> Terms:
    """Returns the player's default terms with the chosen rules, which are changed as far as so many `seats` need it.

    Without rules, three or four players get those made for them. Raises Refused (`no_preset`, `no_dot_dash`) and
    BadOption.
    """
    terms = await chosen_terms(ctx, rules)
    if rules is None and seats not in (None, terms.game.seats):
        offered = await offered_rules(ctx, await ctx.words())
        terms = next(each for each in offered if each.game.seats == seats and each.rule_set is None).put_into(terms)
    return terms if seats is None else replace(terms, game=with_seats(terms.game, seats))


async def _offer(ctx: Context, target: NewChallenge, terms: Terms, wanted: dict[str, str], typed: str) -> None:
    """Posts the challenge with the wanted options and those typed, or shows it in the panel first.

    What cannot be read or does not go together is explained in the panel, with all that was understood.
    """
    words, english = await ctx.words(), ctx.services.languages.of()
    data: Any = ctx.interaction.data
    first = typed == PANEL_FIRST or not data.get("options")
    try:
        more = read_options("" if first else typed, words, english)
    except Refused as refused:
        note = await errors.explain(ctx.services, words, ctx.request, refused)
        terms = replace(terms, game=terms.game.with_options(wanted))
        await ctx.show(await terms_panel(ctx, target, terms, note))
        return
    try:
        terms = replace(terms, game=terms.game.with_options(wanted | more))
    except BadOption as error:
        if not more:
            raise
        clash = find_conflict(terms, wanted | more, error)
        await ctx.show(await terms_panel(ctx, target, terms, conflict=clash))
        return
    if first:
        await ctx.use_cases.challenges.check_open()  # before terms are chosen in vain
        await ctx.show(await terms_panel(ctx, target, terms))
        return
    show = ctx.show if terms.level is None else ctx.show_below  # the computer's game begins below its card
    await show(await post_challenge(ctx, target.opponent, terms, await keep_button(ctx, terms)))


async def _suggest_sizes(ctx: Context, typed: str) -> list[Choice[str]]:
    plain = typed.strip().lower()
    sizes = [size for size in SIZES if size.startswith(plain)]
    with suppress(RuleError):
        sizes.append(make_game(DEFAULT, {"size": typed}).options["size"])
    return [Choice(name=size.replace("x", " × "), value=size) for size in dict.fromkeys(sizes)]


async def _suggest_options(ctx: Context, typed: str) -> list[Choice[str]]:
    words = await ctx.words()
    panel = [] if typed.strip() else [Choice(name=words("challenge.panel")[:MAX_OPTION], value=PANEL_FIRST)]
    return [*panel, *suggest_options(typed, words)][:MAX_SUGGESTIONS]


async def _suggest_clocks(ctx: Context, typed: str) -> list[Choice[str]]:
    words, plain = await ctx.words(), typed.strip().lower()
    controls = [parse_control(clock) for clock in CLOCKS]
    try:
        own = parse_control(typed_time(typed))
    except Refused:
        shown = [control for control in controls if plain in f"{control} {words.control(control).lower()}"]
    else:
        shown = [own, *(control for control in controls if control != own and str(control).startswith(plain))]
    return [Choice(name=words.control(control)[:MAX_OPTION], value=str(control)) for control in shown]


def _invited_level(ctx: Context, opponent: discord.User | None, level: int | None) -> int | None:
    """Returns the level of a challenge to the computer; None for a challenge to other users. Raises Refused."""
    is_bot_itself = opponent is not None and opponent.id == own_id(ctx.interaction.client)
    if level is None and not is_bot_itself:
        if opponent is not None and opponent.bot:
            raise Refused(Reason.OPPONENT_IS_BOT)
        return None
    if opponent is not None and not is_bot_itself:
        raise Refused(Reason.COMPUTER_OR_OPPONENT)
    ctx.services.coach.advisor(ctx.user)
    return level or DEFAULT_LEVEL


COMMANDS = (
    Command(
        challenge,
        choices={
            "start": lambda words: [Choice(name=words(f"start.{start}"), value=start) for start in STARTS],
            "breaks": lambda words: [Choice(name=words(f"breaks.{each}"), value=each) for each in BREAKS],
            "colour": lambda words: [Choice(name=words(f"colour.{order}"), value=order.value) for order in Order],
            "computer": level_choices,
        },
        suggests={
            "rules": suggest_rules,
            "size": _suggest_sizes,
            "clock": _suggest_clocks,
            "options": _suggest_options,
        },
    ),
    Menu("challenge", challenge_menu),
)

BUTTONS: tuple[type[Component], ...] = (ChallengeSomeone, NameOpponent, PlayNewcomer, PlayMeanwhile)
