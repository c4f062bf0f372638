"""The slash commands for what happens in a match beside its moves; each is also a button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.features.match.actions import annulment, clocks, conditional_moves, offers, rematch, vacations
from bot.features.match.actions.endings import End, Land, Stop, ask_first
from bot.features.match.actions.prompts import tell
from bot.features.match.turn.play import linked
from bot.interactions import permissions as entry
from bot.interactions.responses import acknowledge
from bot.request import Request, link
from play.clock import Speed, duration_text, parse_duration
from play.ids import MatchId, UserId
from play.match.events import OfferKind
from play.match.offers import PAUSE
from play.people.vacation import DAYS_A_YEAR
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words
    from play.services.match_writer import MatchRef

TIMES = {Speed.LIVE: ("1m", "5m", "10m", "1h"), Speed.DAYS: ("12h", "1d", "3d", "7d", "14d")}
"""What is suggested where a length of time is asked for."""

LONGEST_TIME = 10


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The commands, described in `words`."""

    @app_commands.command(name="draw", description=words("command.draw"))
    async def draw(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await offers.propose(interaction, Request.of(interaction).here, OfferKind.DRAW)

    @app_commands.command(name="takeback", description=words("command.takeback"))
    async def takeback(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await offers.propose(interaction, Request.of(interaction).here, OfferKind.TAKEBACK)

    @app_commands.command(name="pause", description=words("command.pause"))
    @app_commands.describe(time=words("command.pause.time"))
    @app_commands.autocomplete(time=_times)
    async def pause(interaction: Interaction, time: app_commands.Range[str, 1, LONGEST_TIME] | None = None) -> None:
        await acknowledge(interaction)
        here = Request.of(interaction).here
        length = parse_duration(time) if time else PAUSE
        match = await interaction.client.matches.load(here)
        if time is None and match.clock.pause(Request.of(interaction).at):
            await offers.resume(interaction, here)
        else:
            await offers.propose(interaction, here, OfferKind.PAUSE, pause=length)

    @app_commands.command(name="clock", description=words("command.clock"))
    @app_commands.describe(give=words("command.clock.give"))
    @app_commands.autocomplete(give=_times)
    async def clock(interaction: Interaction, give: app_commands.Range[str, 1, LONGEST_TIME] | None = None) -> None:
        await acknowledge(interaction)
        here = Request.of(interaction).here
        await (clocks.give(interaction, here, give) if give else clocks.shown(interaction, here))

    @app_commands.command(name="stop", description=words("command.stop"))
    async def stop(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await _ways_to_end(interaction)

    @app_commands.command(name="abort", description=words("command.abort"))
    async def abort(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await offers.abort(interaction, Request.of(interaction).here)

    @app_commands.command(name="rematch", description=words("command.rematch"))
    async def rematch_(interaction: Interaction) -> None:
        await acknowledge(interaction)
        match = await interaction.client.matches.load(Request.of(interaction).here)
        await rematch.offer(interaction, match.id)

    @app_commands.command(name="if", description=words("command.if"))
    @app_commands.describe(line=words("command.if.line"))
    async def if_(
        interaction: Interaction, line: app_commands.Range[str, 1, conditional_moves.LONGEST] | None = None
    ) -> None:
        await acknowledge(interaction)
        here = Request.of(interaction).here
        await (conditional_moves.write(interaction, here, line) if line else conditional_moves.shown(interaction, here))

    @app_commands.command(name="vacation", description=words("command.vacation"))
    @app_commands.describe(days=words("command.vacation.days"))
    async def vacation(interaction: Interaction, days: app_commands.Range[int, 0, DAYS_A_YEAR] | None = None) -> None:
        await acknowledge(interaction)
        if days is None:
            await vacations.shown(interaction)
        else:
            await (vacations.go(interaction, days) if days else vacations.come_back(interaction))

    @app_commands.command(name="continue", description=words("command.continue"))
    async def continue_(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await _play_on_here(interaction)

    return draw, takeback, pause, clock, stop, abort, rematch_, if_, vacation, continue_


def moderation(words: Words) -> app_commands.Group:
    """`/moderate`, for those who may manage messages; a server can let others use it, in its own settings."""
    group = app_commands.Group(
        name="moderate",
        description=words("command.moderate"),
        default_permissions=discord.Permissions(manage_messages=True),
        allowed_contexts=entry.ON_SERVERS,
        allowed_installs=entry.BY_SERVERS,
    )

    @group.command(name="annul", description=words("command.moderate.annul"))
    @app_commands.describe(game=words("command.moderate.annul.game"))
    async def annul(interaction: Interaction, game: int | None = None) -> None:
        await acknowledge(interaction)
        await annulment.annul(interaction, None if game is None else MatchId(game))

    @group.command(name="end", description=words("command.moderate.end"))
    @app_commands.describe(winner=words("command.moderate.end.winner"), game=words("command.moderate.annul.game"))
    async def end(interaction: Interaction, winner: discord.User | None = None, game: int | None = None) -> None:
        await acknowledge(interaction)
        request = Request.of(interaction)
        won = UserId(winner.id) if winner else None
        match = await interaction.client.moderation.adjudge(
            _table(request, game), request.user, request.guild, won, request.at, request.source
        )
        own = await interaction.client.audience.alone(interaction)
        await tell(interaction, await linked(interaction.client, match, own("moderate.ended"), own))

    @group.command(name="extend", description=words("command.moderate.extend"))
    @app_commands.describe(
        player=words("command.moderate.extend.player"),
        time=words("command.moderate.extend.time"),
        game=words("command.moderate.annul.game"),
    )
    @app_commands.autocomplete(time=_times)
    async def extend(
        interaction: Interaction,
        player: discord.User,
        time: app_commands.Range[str, 1, LONGEST_TIME],
        game: int | None = None,
    ) -> None:
        await acknowledge(interaction)
        request, gift = Request.of(interaction), parse_duration(time)
        match = await interaction.client.moderation.extend(
            _table(request, game), request.user, request.guild, UserId(player.id), gift, request.at, request.source
        )
        own = await interaction.client.audience.alone(interaction)
        line = own("moderate.extended", time=own.duration(gift))
        await tell(interaction, await linked(interaction.client, match, line, own))

    return group


def _table(request: Request, game: int | None) -> MatchRef:
    """The game of that number, or the one of the channel: a game that was carried elsewhere is judged from home."""
    return request.here if game is None else MatchId(game)


async def _ways_to_end(interaction: Interaction) -> None:
    """Looks ahead to the end that the person can choose now: STOP in games that have it, landing, or an agreed end."""
    client = interaction.client
    match = await client.matches.load(Request.of(interaction).here)
    seat = match.seat_of(UserId(interaction.user.id))
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    way = next((each.way for each in (Stop, Land, End) if each.fits(match, seat)), Stop.way)
    await ask_first(interaction, match, way)


async def _play_on_here(interaction: Interaction) -> None:
    """Plays the most urgent match that has lost its channel on in this one."""
    client, request = interaction.client, Request.of(interaction)
    lost = [entry for entry in await client.matches.list_open(request.user) if entry.lost]
    if not lost:
        raise Refused(Reason.NOTHING_LOST)
    match = await client.actions.relocate(lost[0].id, request.user, request.guild, request.channel)
    words = await client.audience.alone(interaction)
    url = link(match.guild, match.channel)
    await tell(interaction, await linked(client, match, words("found", url=url), words))


async def _times(interaction: Interaction, typed: str) -> list[Choice[str]]:
    words = await interaction.client.audience.alone(interaction)
    try:
        match = await interaction.client.matches.load(Request.of(interaction).here)
    except Refused:
        return []
    times = [parse_duration(time) for time in TIMES[match.clock.control.speed]]
    try:
        own = parse_duration(typed)
    except Refused:
        shown = times
    else:
        shown = [own, *(time for time in times if time != own)]
    return [Choice(name=words.duration(time), value=duration_text(time)) for time in shown]
