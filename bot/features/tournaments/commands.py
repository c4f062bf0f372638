"""`/tournament`: makes a tournament in a channel, and what its host does beside its buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import Choice

from bot.features.challenges.default_terms import usual
from bot.features.tournaments import tournaments
from bot.features.tournaments.tournaments import LONGEST_NAME
from bot.interactions import permissions
from bot.interactions.responses import acknowledge, privately
from bot.request import Request
from bot.services.names import visible
from play.clock import LONGEST, parse_control, parse_duration
from play.ids import Millis
from play.refusal import Reason, Refused
from play.tournaments.tournament import Format, Stage, Tournament, TournamentId
from rules.registry import GAMES, NEEDS_CONSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.client import Interaction
    from bot.i18n.words import Words
    from play.challenge.terms import Terms

LONGEST_TIME = 30

MIN_ROUND = Millis(600_000)
"""A shorter round would be judged before anybody has seen its pairs."""


def commands(words: Words, presets: Sequence[str]) -> tuple[app_commands.Group, ...]:
    """The commands, described in `words`, for games of two by the rules of `presets`."""
    group = app_commands.Group(
        name="tournament",
        description=words("command.tournament"),
        allowed_contexts=permissions.ON_SERVERS,
        allowed_installs=permissions.BY_SERVERS,
    )

    @group.command(name="create", description=words("command.tournament.create"))
    @app_commands.describe(
        name=words("command.tournament.create.name"),
        format=words("command.tournament.create.format"),
        rules=words("command.challenge.rules"),
        size=words("command.challenge.size"),
        clock=words("command.challenge.clock"),
        rounds=words("command.tournament.create.rounds"),
        pace=words("command.tournament.create.pace"),
        rated=words("command.challenge.rated"),
    )
    @app_commands.choices(
        format=[Choice(name=words(f"tournament.format.{each}"), value=each.value) for each in Format],
        rules=[
            Choice(name=words(f"preset.{preset}.name"), value=preset) for preset in presets if GAMES[preset].seats == 2
        ],
    )
    async def create(
        interaction: Interaction,
        name: app_commands.Range[str, 1, LONGEST_NAME],
        format: str,  # noqa: A002 - the option's name
        rules: str | None = None,
        size: app_commands.Range[str, 1, LONGEST_TIME] | None = None,
        clock: app_commands.Range[str, 1, LONGEST_TIME] | None = None,
        rounds: app_commands.Range[int, 2, 15] = 5,
        pace: app_commands.Range[str, 1, LONGEST_TIME] | None = None,
        rated: bool = True,
    ) -> None:
        await acknowledge(interaction)
        await permissions.place(interaction, alone=False)
        terms = await _terms(interaction, rules, size, clock)
        length = parse_duration(pace) if pace else None
        if length is not None and length < MIN_ROUND:
            own = await interaction.client.audience.alone(interaction)
            raise Refused(Reason.BAD_PACE, least=own.duration(MIN_ROUND), most=own.duration(LONGEST))
        if not (title := visible(name, LONGEST_NAME)):
            raise Refused(Reason.NO_TOURNAMENT_NAME)
        await _create(interaction, title, Format(format), replace(terms, rated=rated), rounds, length)

    @group.command(name="begin", description=words("command.tournament.begin"))
    async def begin(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await tournaments.begin(interaction, (await _here(interaction)).id)

    @group.command(name="withdraw", description=words("command.tournament.withdraw"))
    async def withdraw(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await tournaments.withdraw(interaction, (await _here(interaction)).id)

    @group.command(name="cancel", description=words("command.tournament.cancel"))
    async def cancel(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await tournaments.cancel(interaction, (await _here(interaction)).id)

    return (group,)


async def _here(interaction: Interaction) -> Tournament:
    return await interaction.client.tournaments.load_newest(Request.of(interaction).channel)


async def _terms(interaction: Interaction, rules: str | None, size: str | None, clock: str | None) -> Terms:
    base = await usual(interaction)
    game = GAMES[rules] if rules else base.game
    if game.key in NEEDS_CONSENT and not (await permissions.server(interaction)).dot_dash:
        raise Refused(Reason.NO_DOT_DASH)
    if game.seats != 2:
        raise Refused(Reason.TOURNAMENT_OF_TWO)
    game = game.configured({"size": size}) if size else game
    return replace(base, game=game, control=parse_control(clock) if clock else base.control, window=None)


async def _create(
    interaction: Interaction,
    name: str,
    format: Format,  # noqa: A002 - the field's name
    terms: Terms,
    rounds: int,
    pace: Millis | None,
) -> None:
    client, request = interaction.client, Request.of(interaction)
    assert request.guild is not None, "the command is of servers only"
    words = await client.audience.alone(interaction)
    if missing := permissions.missing(interaction, permissions.FOR_THREADS):
        raise Refused(Reason.TOURNAMENT_THREADS, permissions=permissions.listed(missing, words))
    if not interaction.permissions.manage_messages:
        raise Refused(Reason.NOT_A_HOST)
    await client.tournaments.make(
        Tournament(
            TournamentId(0),
            request.guild,
            request.channel,
            request.user,
            name,
            format,
            terms,
            made=request.at,
            rounds=rounds,
            pace=pace,
            stage=Stage.SIGN_UP,
            source=request.source,
        )
    )
    await privately(interaction, words("tournament.made"))
