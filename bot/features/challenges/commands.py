"""`/challenge` and a context menu of people: they offer a game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.features.challenges.new_challenges import NewChallenge, keep_button, name_opponent, post_challenge
from bot.features.terms.default_terms import default_terms
from bot.features.terms.offered_rules import find_rules, offered_rules, suggest_rules
from bot.features.terms.options_page import find_conflict
from bot.features.terms.terms_menus import CLOCKS, SIZES, STARTS
from bot.features.terms.terms_panel import terms_panel
from bot.interactions import errors, permissions
from bot.interactions.commands import Command, Menu
from bot.interactions.context import Context
from bot.interactions.selects import MAX_LABEL
from bot.interactions.suggestions import level_choices, suggest_options
from bot.request import own_id
from opponent.levels import DEFAULT_LEVEL
from play.challenge.terms import Order, Terms, parse_window
from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT, TimeAgreement
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.terms.option_phrases import MAX_SUGGESTIONS, MAX_TYPED, read_options
from rules.game import BadOption, RuleError
from rules.registry import DEFAULT, NEEDS_CONSENT, make_game, with_seats

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
) -> None:
    level = _invited_level(ctx, opponent, computer)
    await permissions.require_playable_channel(ctx, alone=level is not None)
    if opponent is not None:
        ctx.services.names.remember(opponent, ctx.guild)
    terms = await _by_rules(ctx, rules, players)
    terms = replace(
        terms,
        control=parse_control(clock) if clock else terms.control,
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
    terms = await default_terms(ctx)
    if rules is not None:
        terms = (await find_rules(ctx, rules)).put_into(terms)
    elif terms.game.key in NEEDS_CONSENT and not (await permissions.server_settings(ctx)).dot_dash:
        raise Refused(Reason.NO_DOT_DASH)
    elif seats not in (None, terms.game.seats):
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
        await ctx.show(await terms_panel(ctx, target, terms))
        return
    await ctx.show(await post_challenge(ctx, target.opponent, terms, await keep_button(ctx, terms)))


async def _suggest_sizes(ctx: Context, typed: str) -> list[Choice[str]]:
    plain = typed.strip().lower()
    sizes = [size for size in SIZES if size.startswith(plain)]
    with suppress(RuleError):
        sizes.append(make_game(DEFAULT, {"size": typed}).options["size"])
    return [Choice(name=size.replace("x", " × "), value=size) for size in dict.fromkeys(sizes)]


async def _suggest_options(ctx: Context, typed: str) -> list[Choice[str]]:
    words = await ctx.words()
    panel = [] if typed.strip() else [Choice(name=words("challenge.panel")[:MAX_LABEL], value=PANEL_FIRST)]
    return [*panel, *suggest_options(typed, words)][:MAX_SUGGESTIONS]


async def _suggest_clocks(ctx: Context, typed: str) -> list[Choice[str]]:
    words, plain = await ctx.words(), typed.strip().lower()
    controls = [parse_control(clock) for clock in CLOCKS]
    try:
        own = parse_control(typed)
    except Refused:
        shown = [control for control in controls if plain in f"{control} {words.control(control).lower()}"]
    else:
        shown = [own, *(control for control in controls if control != own and str(control).startswith(plain))]
    return [Choice(name=words.control(control)[:MAX_LABEL], value=str(control)) for control in shown]


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
