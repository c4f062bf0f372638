"""A league without Discord: its director works on request, and its display notes what it would post."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.league import League, LeagueNotice, NoticeKind, first_season
from play.competitions.season import LeagueGame, Season
from play.ids import ChannelId, MessageId, UserId
from tests.clock import NOON
from tests.director import called_games, nobody_left
from tests.keepers import NotingKeepers, kept_posts
from tests.matches import GAME, GUILD
from use_cases import UseCases
from use_cases.channel_rights import MembersLeft
from use_cases.competitions.league_director import LeagueDirector

KEEPER = UserId(899)
CHANNEL = ChannelId(4001)
TERMS = Terms(GAME, parse_control("3d"), rated=True)


@dataclass
class NotingDisplay:
    """A `use_cases.competitions.league_director.LeagueDisplay`. What `fails` is raised for each post."""

    fails: Exception | None = None
    calls: list[LeagueGame] = field(default_factory=list)
    told: list[tuple[NoticeKind, int]] = field(default_factory=list)
    shown: list[League] = field(default_factory=list)
    pins: list[tuple[MessageId, bool]] = field(default_factory=list)
    moved: list[tuple[ChannelId, MessageId]] = field(default_factory=list)
    keepers: NotingKeepers = field(default_factory=NotingKeepers)
    may_pin: bool = True
    _messages: count[int] = field(default_factory=lambda: count(10_000))

    def _post(self) -> MessageId:
        if self.fails is not None:
            raise self.fails
        return MessageId(next(self._messages))

    async def show(self, league: League) -> MessageId:
        message = self._post()
        self.shown.append(league)
        return league.message or message

    async def pin(self, league: League, message: MessageId, *, pinned: bool) -> bool:
        self.pins.append((message, pinned))
        return self.may_pin

    async def tell_moved(self, league: League, channel: ChannelId, message: MessageId) -> None:
        self.moved.append((channel, message))

    async def call(self, league: League, season: Season, index: int, game: LeagueGame) -> MessageId:
        message = self._post()
        self.calls.append(game)
        return message

    async def announce(self, league: League, notice: LeagueNotice, season: Season | None) -> None:
        self._post()
        self.told.append((notice.kind, notice.season))


def make_league_director(
    use_cases: UseCases,
    display: NotingDisplay | None = None,
    *,
    computer: bool = True,
    left: MembersLeft = nobody_left,
) -> LeagueDirector:
    shown = display or NotingDisplay()
    return LeagueDirector(
        use_cases.store,
        kept_posts(use_cases.store, shown.keepers),
        called_games(use_cases, left),
        shown,
        computer=computer,
    )


async def open_league(use_cases: UseCases, *users: int) -> League:
    """Opens a league that these users have joined."""
    opened = await use_cases.leagues.open(League(GUILD, CHANNEL, KEEPER, TERMS, first_season(NOON)))
    for user in users:
        opened = await use_cases.leagues.join(GUILD, UserId(user), NOON)
    return opened


async def direct_league(director: LeagueDirector, use_cases: UseCases) -> League:
    """Does all that is due; returns the league."""
    for _ in range(20):
        if not await director.pending(10):
            break
        await director.process(GUILD)
    else:
        raise AssertionError("something is due again and again")
    async with use_cases.store.read() as reader:
        league = await reader.leagues.get(GUILD)
    assert league is not None
    return league
