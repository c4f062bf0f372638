"""`/challenge`: offers a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.features.challenges.default_terms import default_terms
from bot.features.challenges.terms_code import encode
from bot.features.challenges.terms_menus import CLOCKS, SIZES, STARTS
from bot.features.challenges.terms_panel import TermsButton
from bot.features.coach.computer import invited_level
from bot.i18n.words import Words
from bot.interactions import permissions
from bot.interactions.buttons import row
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.interactions.selects import MAX_LABEL
from bot.request import link
from opponent.levels import LEVELS
from play.challenge.terms import Order, Terms, parse_window
from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT, TimeAgreement
from play.ids import UserId
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from rules.game import AnyGame, RuleError
from rules.registry import DEFAULT, GAMES, NEEDS_CONSENT, make_game, with_seats

OWN_CLOCKS = {"sport-blitz": "5s random"}
"""The clock that goes with a preset, unless the player chooses another one."""

BREAKS = {
    "none": NO_AGREEMENT,
    "nights": TimeAgreement(quiet=True),
    "weekends": TimeAgreement(quiet=True, weekends=True),
    "all": TimeAgreement(quiet=True, weekends=True, vacation=True),
    "vacations": TimeAgreement(vacation=True),
}
"""The spans in which clocks can stop by agreement. *Change…* offers all others."""

MAX_WINDOW = 11
"""Characters of a range of ratings: `1400 - 1600`."""


def commands(words: Words, presets: Sequence[str]) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the command, described in `words`, for the rules of `presets`."""

    @app_commands.command(name="challenge", description=words("command.challenge"))
    @app_commands.describe(
        opponent=words("command.challenge.opponent"),
        rules=words("command.challenge.rules"),
        size=words("command.challenge.size"),
        start=words("command.challenge.start"),
        clock=words("command.challenge.clock"),
        breaks=words("command.challenge.breaks"),
        colour=words("command.challenge.colour"),
        players=words("command.challenge.players"),
        computer=words("command.challenge.computer"),
        rated=words("command.challenge.rated"),
        ratings=words("command.challenge.ratings"),
    )
    @app_commands.choices(
        rules=[Choice(name=words(f"preset.{preset}.name"), value=preset) for preset in presets],
        start=[Choice(name=words(f"start.{start}"), value=start) for start in STARTS],
        breaks=[Choice(name=words(f"breaks.{each}"), value=each) for each in BREAKS],
        colour=[Choice(name=words(f"colour.{order}"), value=order.value) for order in Order],
    )
    @app_commands.choices(computer=[Choice(name=words(f"level.{each.number}"), value=each.number) for each in LEVELS])
    @app_commands.autocomplete(size=_suggest_sizes, clock=_suggest_clocks)
    @takes_context
    async def challenge(
        ctx: Context,
        opponent: discord.User | None = None,
        rules: str | None = None,
        size: str | None = None,
        start: str | None = None,
        clock: str | None = None,
        breaks: str | None = None,
        colour: str | None = None,
        players: app_commands.Range[int, 2, 4] | None = None,
        computer: int | None = None,
        rated: bool | None = None,
        ratings: app_commands.Range[str, 1, MAX_WINDOW] | None = None,
    ) -> None:
        await ctx.defer_private()
        level = invited_level(ctx, opponent, computer)
        server = await permissions.require_playable_channel(ctx, alone=level is not None)
        base = await default_terms(ctx)
        options = {"size": size, "start": start, "seats": players and str(players)}
        game = _game(rules, base.game, {name: value for name, value in options.items() if value}, presets, server)
        terms = replace(base, game=game, rated=base.rated if rated is None else rated)
        if clock or rules in OWN_CLOCKS:
            terms = replace(terms, control=parse_control(clock or OWN_CLOCKS[rules or ""]))
        if breaks:
            terms = replace(terms, agreement=replace(BREAKS[breaks], play_out=terms.agreement.play_out))
        if colour:
            terms = replace(terms, order=Order(colour))
        window = parse_window(ratings) if ratings and opponent is None else None
        keep = terms != base
        terms = replace(terms, level=level, rated=terms.rated if level is None else bool(rated), window=window)
        await _offer(ctx, None if level else opponent, terms, keep=keep)

    return (challenge,)


def _game(
    rules: str | None, base: AnyGame, options: dict[str, str], presets: Sequence[str], server: ServerSettings
) -> AnyGame:
    """Returns the game with the chosen options; three or four players who choose no rules get those made for them.

    Raises Refused (`no_preset`, `no_dot_dash`) and RuleError.
    """
    if rules is not None and rules not in presets:
        raise Refused(Reason.NO_PRESET, preset=rules)
    if rules is not None:
        base = GAMES[rules]
    elif int(options.get("seats", base.seats)) != base.seats:
        base = next(GAMES[key] for key in presets if GAMES[key].seats == int(options["seats"]))
    if base.key in NEEDS_CONSENT and not server.dot_dash:
        raise Refused(Reason.NO_DOT_DASH)
    seats = int(options.pop("seats", base.seats))
    return with_seats(base, seats).with_options(options)


async def _offer(ctx: Context, opponent: discord.User | None, terms: Terms, *, keep: bool) -> None:
    """Posts the challenge; `keep` offers the player to make its terms their defaults."""
    if opponent is not None:
        ctx.services.names.remember(opponent, ctx.guild)
    computer = UserId(ctx.interaction.application_id) if terms.level else None
    asked = UserId(opponent.id) if opponent else computer
    ctx.services.gate.count_card(ctx.channel)
    offer = await ctx.services.challenges.challenge(ctx.user, asked, ctx.guild, ctx.channel, terms, ctx.at, ctx.key)
    url = link(ctx.guild, ctx.channel, await ctx.services.cards.post(offer))
    words = await ctx.words()
    lines = [words("challenge.begun" if terms.level else "challenge.posted", url=url)]
    missing = permissions.missing_permissions(ctx, permissions.THREAD_PERMISSIONS)
    if missing and ctx.interaction.is_guild_integration() and (await permissions.server_settings(ctx)).threads:
        lines.append(words("check.threads", permissions=permissions.permission_names(missing, words)))
    view = row(*([TermsButton("me", encode(terms), "save", words("terms.keep"))] if keep else []))
    await ctx.reply("\n".join(lines), view=view)


@takes_context
async def _suggest_sizes(ctx: Context, typed: str) -> list[Choice[str]]:
    plain = typed.strip().lower()
    sizes = [size for size in SIZES if size.startswith(plain)]
    try:
        own = make_game(DEFAULT, {"size": typed}).options["size"]
    except RuleError:
        pass
    else:
        sizes = [own, *(size for size in sizes if size != own)]
    return [Choice(name=size.replace("x", " × "), value=size) for size in sizes]


@takes_context
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
