"""The use cases of a year in dots: of a player, which they alone see until they share it, and of a server."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from play.clock.schedule import Span
from play.community.own_figures import MAX_GAMES, OPENING_PLIES, Happened
from play.community.year import MAX_YEAR_GAMES, Champion, OwnYear, ServerYear, Year
from play.competitions.tournament import TournamentEntry
from play.ids import ChannelId, GuildId, MatchId, UserId, is_person
from play.people.settings import PlayerSettings
from storage import Database
from storage.own_figures import FinishedGame
from use_cases.own_figures import played_game
from use_cases.public_pages import MAX_TOURNAMENTS, Channels

MAX_CHAMPIONS, MAX_PAIRS, MAX_CAPTURES = 2, 2, 10
"""Champions and pairs that a card names, and captures that are looked at for one which all members can see."""


class ToldYear(NamedTuple):
    """The year of a player, the settings in which they read it, and the years `before` and `after` it that have or may
    have games."""

    year: OwnYear
    settings: PlayerSettings
    before: int | None
    after: int | None


async def load_own_year(store: Database, user: UserId, number: int | None, computer: UserId | None) -> ToldYear:
    """Returns a year of a player in their time zone; None is the present one. Raises Refused (`old_button`)."""
    async with store.read() as reader:
        now, settings = await reader.clock.now(), await reader.people.get(user)
        present = Year.at(now, settings.zone)
        year = present if number is None else Year.of(number, settings.zone)
        games = await reader.own_figures.games(user, MAX_YEAR_GAMES, Span(year.start, year.end))
        begun = await reader.own_figures.beginnings([each.id for each in games[:MAX_GAMES]], OPENING_PLIES)
        puzzles = await reader.puzzles.solved_in(user, year.number)
        has_before = await reader.own_figures.has_before(user, year.start)
    counted = await asyncio.to_thread(_count, year.number, games, begun, puzzles, computer)
    after = year.number + 1 if year.number < present.number else None
    return ToldYear(counted, settings, year.number - 1 if has_before else None, after)


async def load_latest_year(store: Database, user: UserId) -> OwnYear:
    """Returns the present year of a player, or before its first game the one before that."""
    told = await load_own_year(store, user, None, None)
    if told.year.is_empty and told.before is not None:
        told = await load_own_year(store, user, told.before, None)
    return told.year


def _count(
    year: int,
    games: Sequence[FinishedGame],
    begun: Mapping[MatchId, Sequence[Happened]],
    puzzles: int,
    computer: UserId | None,
) -> OwnYear:
    return OwnYear.of(year, [played_game(each, begun.get(each.id, ())) for each in games], puzzles, computer)


class ToldServerYear(NamedTuple):
    """The year of a server with its name, and the years `before` and `after` it that have or may have games."""

    year: ServerYear
    name: str
    before: int | None
    after: int | None


class ServerYears:
    """Years of servers. A card names only members who are still there, and of games only those that all members can
    see; sums count all games."""

    def __init__(self, store: Database, channels: Channels) -> None:
        self._store = store
        self._channels = channels

    async def load(self, guild: GuildId, number: int | None, computer: UserId | None) -> ToldServerYear:
        """Returns a year of a server; None is the present one. Raises Refused (`old_button`, `chat_away`)."""
        async with self._store.read() as reader:
            present = Year.at(await reader.clock.now())
            year = present if number is None else Year.of(number)
            games, players = await reader.years.sums(guild, year, computer)
            busiest = await reader.years.busiest(guild, year)
            captures = await reader.years.captures(guild, year, computer, MAX_CAPTURES)
            pairs = await reader.years.pairs(guild, year, computer, MAX_PAIRS)
            has_before = await reader.years.has_before(guild, year.start)
            ended = await reader.tournaments.of_guild(guild, MAX_TOURNAMENTS)
        won = [each for each in ended if each.ended is not None and year.start <= each.ended < year.end]
        capture = None
        for each in captures:
            if await self._channels.is_open(guild, each.place):
                capture = each.user, each.dots
                break
        champions = await self._champions(guild, won)
        told = ServerYear(year.number, games, players, busiest, capture, champions, tuple(pairs))
        after = year.number + 1 if year.number < present.number else None
        name = await self._channels.server_name(guild) or ""
        return ToldServerYear(told, name, year.number - 1 if has_before else None, after)

    async def _champions(self, guild: GuildId, ended: Sequence[TournamentEntry]) -> tuple[Champion, ...]:
        """Returns who has won the newest of some tournaments."""
        shown: list[TournamentEntry] = []
        opened: dict[ChannelId, bool] = {}
        for entry in ended[: 2 * MAX_CHAMPIONS]:
            if entry.channel not in opened:
                opened[entry.channel] = await self._channels.is_open(guild, entry.channel)
            shown += [entry] if opened[entry.channel] else []
        async with self._store.read() as reader:
            found = [await reader.tournaments.get(each.id) for each in shown[:MAX_CHAMPIONS]]
            won = [Champion(user, each.name) for each in found if each for user in each.winners if is_person(user)]
            there = [each for each in won if not await reader.absences.has(guild, each.user)]
        return tuple(there[:MAX_CHAMPIONS])
