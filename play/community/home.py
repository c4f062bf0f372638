"""The home post of a server: one message that shows what is going on, edited through the day and posted anew daily."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from hashlib import sha256
from zoneinfo import ZoneInfo

from play.challenge.challenge import Challenge
from play.challenge.pool import Pool
from play.competitions.tournament import Format, TournamentId
from play.ids import DAY, HOUR, MINUTE, ChannelId, GuildId, MatchId, MessageId, Millis, RoleId, UserId
from play.posts import KeptPost, PostKey, PostKind, PostProblem
from play.ratings.leaderboard import Leader, Scorer
from rules.game import Seat

POST_HOUR = 7
"""The hour, in the home's zone, at which its post is posted anew: people find it when they get up."""

MIN_PAUSE_MILLIS = HOUR
"""Between a post and the one of the next morning."""

MAX_FIRST_NUMBER = 2**27
"""Seconds until first numbers repeat, four years. With a server's id a number makes a nonce of 25 characters."""

MIN_EDIT_MILLIS = Millis(5 * MINUTE)
"""Between two edits of one post: twelve an hour at most, however much happens."""

GATHER_MILLIS = Millis(30_000)
"""From a change to the edit at the earliest: what happens together shows together, and a new card has been posted."""

CAPPED_MILLIS = Millis(10_000)
"""The pause after the chat has refused one more edit of a channel's old messages: it takes three in six seconds."""

PING_MILLIS = HOUR
"""Between two pings of the role; each is deleted after as long."""

RETRY_MILLIS = HOUR
"""Between the first two tries to post where the bot may not; the pauses then double."""

MAX_RETRY_MILLIS = DAY

MAX_LEADERS, MAX_PLACES = 5, 20
"""Lines of the list, and the places that are kept from one day to the next."""

MAX_GAMES, MAX_CHALLENGES, MAX_TOURNAMENTS, MAX_RESULTS = 8, 5, 3, 2
"""Games, challenges, tournaments and winners of tournaments that the post names."""

MAX_OFFERS = 5
"""What members can take part in, that the post names: their buttons are one row."""

WEEK_MILLIS = Millis(7 * DAY)

MIN_RECORD_CAPTURE = 3
"""Dots captured with one turn that are worth a line."""


@dataclass(frozen=True, slots=True)
class Home:
    """The home of a server in `channel`, as far as it is posted.

    The `message` was `posted` then and shows what has this `fingerprint`; `former` is an earlier one, to be deleted.
    It is looked at again when it is `due`. `posts` is the number of the next message. `pinged` says when `ping` told
    the `role` of the challenges up to number `announced`. What keeps it from being posted is its `trouble`, the
    same since `failing`; its post has both. `version` counts the changes.
    """

    guild: GuildId
    channel: ChannelId
    zone: str | None = None
    role: RoleId | None = None
    message: MessageId | None = None
    former: MessageId | None = None
    former_channel: ChannelId | None = None
    posts: int = 0
    posted: Millis | None = None
    edited: Millis | None = None
    fingerprint: str = ""
    due: Millis = Millis(0)  # noqa: RUF009 - a number
    ping: MessageId | None = None
    pinged: Millis | None = None
    announced: int = 0
    trouble: PostProblem | None = None
    failing: Millis | None = None
    version: int = 0

    @property
    def post(self) -> KeptPost:
        """Where it is kept."""
        return KeptPost(PostKey(PostKind.HOME, self.guild), self.guild, self.channel)

    @property
    def post_due(self) -> Millis:
        """When the message is to be posted anew."""
        return Millis(0) if self.posted is None or self.message is None else next_post(self.posted, self.zone)

    def begins_day(self, now: Millis) -> bool:
        """Returns whether a post now is that of a new day, and not one more that a manager has asked for."""
        return self.posted is None or next_post(self.posted, self.zone) <= now

    @property
    def edit_due(self) -> Millis:
        """When the message may be edited next."""
        return Millis((self.edited or 0) + MIN_EDIT_MILLIS)

    def next_due(self, now: Millis) -> Millis:
        """Returns when the home is to be looked at if nothing happens: a new post, a new puzzle, a ping that ends."""
        times = [self.post_due, _next_midnight(now)]
        if self.ping is not None and self.pinged is not None:
            times.append(Millis(self.pinged + PING_MILLIS))
        return max(min(times), Millis(now + 1))

    def moved(self, channel: ChannelId, zone: str | None) -> Home:
        """Returns the home in another channel, to be posted there at once."""
        shown = (self.former, self.former_channel) if self.message is None else (self.message, self.channel)
        former, former_channel = shown
        return replace(
            self,
            channel=channel,
            zone=zone,
            message=None,
            former=former,
            former_channel=former_channel,
            due=Millis(0),
            trouble=None,
            ping=None,
        )

    def renewed(self) -> Home:
        """Returns the home, to be posted at once."""
        return replace(self.moved(self.channel, self.zone), ping=self.ping)

    def fails(self, now: Millis) -> Home:
        """Returns the home after a try in vain."""
        pause = min(max(now - (self.failing or now), RETRY_MILLIS), MAX_RETRY_MILLIS)
        return replace(self, due=Millis(now + pause))


@dataclass(frozen=True, slots=True)
class HomeGame:
    """A running game; it has been the turn of the player at `to_act` `since` then. `board` is its newest one."""

    id: MatchId
    channel: ChannelId
    board: MessageId | None
    players: tuple[UserId, ...]
    to_act: Seat
    since: Millis


@dataclass(frozen=True, slots=True)
class HomeTournament:
    """A tournament that takes players (`round` 0) until it `begins`, or its present round of so many `pairs`, and when
    that ends."""

    id: TournamentId
    name: str
    channel: ChannelId
    message: MessageId | None
    format: Format
    round: int
    pairs: int
    begins: Millis | None
    ends: Millis | None


class OfferKind(StrEnum):
    """What members can take part in. The values end the keys of its lines (`home.offer.<value>`)."""

    TOURNAMENT = "tournament"
    CONTEST = "contest"
    LEAGUE = "league"
    LADDER = "ladder"
    VOTE = "vote"
    PREDICTION = "prediction"


@dataclass(frozen=True, slots=True)
class HomeOffer:
    """What members can take part in, in `channel`, perhaps a thread of `parent`.

    `number` is that of a tournament, a contest or a match. `count` says how many take part so far, or about which move
    a side votes. `until` is when that ends or begins. `players` are those of the match, `guest` the other server of a
    contest.
    """

    kind: OfferKind
    channel: ChannelId
    number: int = 0
    count: int = 0
    until: Millis | None = None
    players: tuple[UserId, ...] = ()
    guest: GuildId | None = None
    parent: ChannelId | None = None

    @property
    def place(self) -> ChannelId:
        """The channel that decides who can read it."""
        return self.parent or self.channel


@dataclass(frozen=True, slots=True)
class HomeResult:
    """A tournament that has ended within a week, and who won it."""

    id: TournamentId
    name: str
    channel: ChannelId
    message: MessageId | None
    winners: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class HomeRecord:
    """The most dots that were captured with one turn in a week."""

    match: MatchId
    channel: ChannelId
    board: MessageId | None
    user: UserId
    captured: int


@dataclass(frozen=True, slots=True)
class HomeContent:
    """What a post shows. `games` and `challenges` are the first ones of so many.

    `places` are yesterday's, by player; None on the first day. `day` is that of the daily, with its `daily_solvers`,
    and of the server's own puzzle, which the post shows if it `has_puzzle`; `solved` counts the right answers to it.
    """

    games: tuple[HomeGame, ...]
    games_count: int
    challenges: tuple[Challenge, ...]
    challenges_count: int
    pool: Pool | None
    leaders: tuple[Leader | Scorer, ...]
    places: Mapping[UserId, int] | None
    tournaments: tuple[HomeTournament, ...]
    offers: tuple[HomeOffer, ...]
    results: tuple[HomeResult, ...]
    record: HomeRecord | None
    day: str
    has_puzzle: bool
    solved: int
    daily_solvers: int
    language: str | None
    theme: str

    @property
    def is_quiet(self) -> bool:
        """Whether nothing goes on that members could join or watch."""
        return not (self.games or self.challenges or self.tournaments or self.offers)

    @property
    def fingerprint(self) -> str:
        """A short text that changes with what the post shows."""
        leaders = self.leaders[:MAX_LEADERS]
        moved = tuple(self.change(line) for line in leaders)
        shown = replace(self, leaders=leaders, places=None)
        return sha256(repr((shown, moved)).encode()).hexdigest()[:16]

    def change(self, line: Leader | Scorer) -> int | None:
        """Returns by how many places a player has risen since yesterday; None if they were not among the first."""
        before = (self.places or {}).get(line.user)
        return None if before is None or line.place is None else before - line.place


def first_number(now: Millis) -> int:
    """Returns the number of the first message of a home that begins now, which an earlier home did not have lately."""
    return now // 1000 % MAX_FIRST_NUMBER


def places_of(lines: Sequence[Leader | Scorer]) -> dict[UserId, int]:
    """Returns the places that are kept for tomorrow."""
    return {line.user: line.place for line in lines[:MAX_PLACES] if line.place is not None}


def next_post(posted: Millis, zone: str | None) -> Millis:
    """Returns the first time, MIN_PAUSE_MILLIS after a post or later, at which it is POST_HOUR in the zone."""
    there = ZoneInfo(zone or "UTC")
    earliest = (posted + MIN_PAUSE_MILLIS) / 1000
    day = datetime.fromtimestamp(earliest, there).date()
    while (due := datetime.combine(day, time(POST_HOUR), there).timestamp()) < earliest:
        day += timedelta(days=1)
    return Millis(int(due) * 1000)


def _next_midnight(now: Millis) -> Millis:
    """Returns when the next day begins by UTC: the puzzle of the day changes then."""
    return Millis((now // DAY + 1) * DAY)
