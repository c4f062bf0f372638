"""`/challenge`: offers a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.answers import acknowledge, privately
from bot.buttons import Accept, Decline, row
from bot.cards import card, pinged
from bot.request import Request, link
from play.challenge import Terms
from play.clock import parse_control
from play.ids import UserId
from play.refused import Refused
from rules.game import RuleError
from rules.registry import DEFAULT, GAMES, configured

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words

FIRST, CLOCK = configured(DEFAULT, {"size": "20x20"}), "3d"
"""What friends want for a first game: a field that a phone shows well, a fight from the first move, time to answer."""

SIZES = ("13x13", "15x15", "20x20", "25x25", "30x30", "39x32")
STARTS = ("cross", "empty", "double", "four", "random", "random-double")
CLOCKS = ("1d", "2d", CLOCK, "7d", "14d", "5m+10s", "10m+30s", "30m+1m")


def commands(words: Words, presets: Sequence[str]) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`, for the rules of `presets`."""

    @app_commands.command(name="challenge", description=words("command.challenge"))
    @app_commands.describe(
        opponent=words("command.challenge.opponent"),
        rules=words("command.challenge.rules"),
        size=words("command.challenge.size"),
        start=words("command.challenge.start"),
        clock=words("command.challenge.clock"),
    )
    @app_commands.choices(
        rules=[Choice(name=words(f"preset.{preset}.name"), value=preset) for preset in presets],
        start=[Choice(name=words(f"start.{start}"), value=start) for start in STARTS],
    )
    @app_commands.autocomplete(size=_sizes, clock=_clocks)
    async def challenge(
        interaction: Interaction,
        opponent: discord.User | None = None,
        rules: str | None = None,
        size: str | None = None,
        start: str | None = None,
        clock: str = CLOCK,
    ) -> None:
        await acknowledge(interaction)
        _invited(interaction, opponent)
        if rules is not None and rules not in presets:
            raise Refused("no_preset", preset=rules)
        options = {name: value for name, value in (("size", size), ("start", start)) if value is not None}
        game = FIRST if rules is None else GAMES[rules]
        await _offer(interaction, opponent, Terms(game.configured(options), parse_control(clock)))

    return (challenge,)


def _invited(interaction: Interaction, opponent: discord.User | None) -> None:
    """Raises Refused where no card can be posted or answered."""
    may = interaction.app_permissions
    if interaction.guild_id is None:
        raise Refused("challenge_in_dm")
    if opponent is not None and opponent.bot:
        raise Refused("opponent_is_bot")
    in_thread = isinstance(interaction.channel, discord.Thread)
    writes = may.send_messages_in_threads if in_thread else may.send_messages
    if not (may.view_channel and writes and may.attach_files):
        raise Refused("cannot_write_here")


async def _offer(interaction: Interaction, opponent: discord.User | None, terms: Terms) -> None:
    client, request = interaction.client, Request.of(interaction)
    if opponent is not None:
        client.names.remember(opponent, request.guild)
    asked = UserId(opponent.id) if opponent else None
    offer = await client.tables.challenge(request.user, asked, request.guild, request.channel, terms, request.at)
    here = client.words_here(interaction)
    message = await client.get_partial_messageable(request.channel).send(
        await card(offer, client.names, here),
        view=row(Accept.to(offer.id, here), Decline.to(offer.id, here)),
        allowed_mentions=pinged(offer),
    )
    words, url = client.words(interaction), link(request.guild, request.channel, message.id)
    await privately(interaction, words("challenge.posted", url=url))


async def _sizes(interaction: Interaction, typed: str) -> list[Choice[str]]:
    plain = typed.strip().lower()
    sizes = [size for size in SIZES if size.startswith(plain)]
    try:
        own = configured(DEFAULT, {"size": typed}).options["size"]
    except RuleError:
        pass
    else:
        sizes = [own, *(size for size in sizes if size != own)]
    return [Choice(name=size.replace("x", " × "), value=size) for size in sizes]


async def _clocks(interaction: Interaction, typed: str) -> list[Choice[str]]:
    words, plain = interaction.client.words(interaction), typed.strip().lower()
    controls = [parse_control(clock) for clock in CLOCKS]
    try:
        own = parse_control(typed)
    except Refused:
        shown = [control for control in controls if plain in f"{control} {words.control(control).lower()}"]
    else:
        shown = [own, *(control for control in controls if control != own and str(control).startswith(plain))]
    return [Choice(name=words.control(control), value=str(control)) for control in shown]
