"""What the use cases ask of a store; storage/ implements it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from play.challenge.challenge import Challenge
from play.clock.calendar import Span
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, MessageId, Millis, SourceId, UserId
from play.match.conditional_moves import Plan
from play.match.match import Match
from play.match.notice import Notice
from play.people.person import Person
from play.people.server import Server
from play.people.vacation import Vacation
from play.store.careers import CareerReader, CareerWriter
from play.store.ladders import LadderReader, LadderWriter
from play.store.news import NewsReader, NewsWriter
from play.store.privacy import PrivacyReader, PrivacyWriter
from play.store.puzzles import PuzzleReader, PuzzleWriter
from play.store.ratings import RatingReader, RatingWriter
from play.store.role_rewards import PodiumReader, PodiumWriter
from play.store.tournaments import TournamentReader, TournamentWriter
from rules.game import AnyGame, Seat


class Stale(Exception):
    """The row has changed since it was read; nothing was written."""


class ChannelTaken(Exception):
    """There is an open match in that channel already; nothing was written."""


class RematchOffered(Exception):
    """A rematch of that match is on offer already; nothing was written."""


class OutOfRange(Exception):
    """A number that no row can have: an id of 64 bits or more. Nothing was written."""


class Unavailable(Exception):
    """The store cannot be reached, or cannot write, at the moment. Whether a write was committed is not known."""


class Broken(Unavailable):
    """The store needs its operator before it can be used again; the text tells them what to do."""


class Gone(Broken):
    """What was stored has been taken away from under the store: nothing that is written now would be kept."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An open match in a person's list, without its history. `board` is the newest posted board; a `lost` match could
    not be posted where it is played."""

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    board: MessageId | None
    game: AnyGame
    players: tuple[UserId, ...]
    to_act: Seat
    deadline: Millis | None
    version: int
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Announcement:
    """A version of a match that its channel has not been told of. `previous` is the newest posted board; `last` says
    that there is no later version yet.

    Until `answer_until` the process that took the player's click may deliver it as its answer to the click. Whether it
    did is then known only from the channel.
    """

    match: MatchId
    version: int
    previous: MessageId | None
    last: bool = True
    answer_until: Millis | None = None


class Reader(
    RatingReader,
    PodiumReader,
    CareerReader,
    TournamentReader,
    LadderReader,
    NewsReader,
    PrivacyReader,
    PuzzleReader,
    Protocol,
):
    """One consistent view of what is stored."""

    async def now(self) -> Millis:
        """The store's clock, by which deadlines are judged: one clock for all processes. A jump of it counts only when
        it has lasted."""

    async def challenge(self, challenge: ChallengeId) -> Challenge | None: ...

    async def challenge_by(self, source: SourceId | None) -> Challenge | None:
        """The challenge that an interaction has made; None if it has made none."""

    async def count_open_challenges(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> int:
        """How many challenges are open: of a person, or in a channel."""

    async def callers(self, opponent: UserId, since: Millis) -> list[UserId]:
        """Who has challenged a person, each as often as they did: by what is open, and by what was made after `since`
        and became no match."""

    async def outdated_cards(self, limit: int) -> list[Challenge]:
        """The challenges of which something has happened since their cards were written."""

    async def expired_challenges(self, now: Millis, limit: int) -> list[ChallengeId]:
        """Open challenges whose time is over, the oldest first."""

    async def match(self, match: MatchId, version: int | None = None) -> Match | None:
        """The match, now or as it was at an earlier version."""

    async def match_in(self, channel: ChannelId) -> Match | None:
        """The open match of a channel, or the one that ended there last."""

    async def behind(self, channel: ChannelId) -> Match | None:
        """The match of a channel, as `match_in` finds it, if its newest version neither stands there nor waits in the
        outbox: it could not be posted."""

    async def open_matches(self, user: UserId) -> list[Entry]:
        """The open matches of a person: first those where it is his turn, the most urgent first."""

    async def person(self, user: UserId) -> Person:
        """His settings, which are those of everybody until he changes them."""

    async def server(self, guild: GuildId) -> Server:
        """Its settings, which are those of every server until somebody changes them."""

    async def count_open(self, *, user: UserId | None = None, guild: GuildId | None = None) -> int:
        """How many matches go on: of a person, in a server, or of everybody."""

    async def next_deadline(self) -> Millis | None: ...

    async def overdue(self, before: Millis, limit: int) -> list[MatchId]:
        """Open matches whose deadline is earlier than `before`, the earliest first."""

    async def next_reminder(self) -> Millis | None: ...

    async def to_remind(self, now: Millis, limit: int) -> list[MatchId]:
        """Open matches in which a reminder is due, the longest due first."""

    async def challenge_of(self, match: MatchId) -> Challenge | None:
        """The challenge that became this match."""

    async def rematch_of(self, match: MatchId) -> Challenge | None:
        """The open challenge that offers another match after this one."""

    async def plan(self, match: MatchId, seat: Seat) -> Plan | None:
        """What a player will answer."""

    async def vacations(self, user: UserId) -> list[Vacation]:
        """All that a person ever took, in their order."""

    async def lost(self, match: MatchId) -> bool:
        """Whether nothing could be posted where the match is played."""

    async def notice(self, match: MatchId) -> Notice | None:
        """A notice of this match that was not delivered yet."""

    async def untold(self) -> list[MatchId]:
        """The matches of which the outbox holds anything, notices included."""

    async def unannounced(self, match: MatchId) -> Announcement | None:
        """The earliest version of a match that the outbox holds."""


class Transaction(
    Reader,
    RatingWriter,
    PodiumWriter,
    CareerWriter,
    TournamentWriter,
    LadderWriter,
    NewsWriter,
    PrivacyWriter,
    PuzzleWriter,
    Protocol,
):
    """All or nothing; it is committed when its block ends without an exception."""

    async def lock_challenges(self) -> None:
        """Lets no other transaction make a challenge until this one ends, so that what it counts stays true. Has to
        come before everything else in a transaction, which otherwise sees what was there before it waited."""

    async def add_challenge(self, challenge: Challenge) -> Challenge:
        """Stores a new challenge and gives it its id (that of the argument counts for nothing). Raises
        RematchOffered, also if its source has made one already."""

    async def save_challenge(self, challenge: Challenge) -> None:
        """Stores what became of a challenge. Raises Stale if something else has happened since it was read."""

    async def card_shown(self, challenge: ChallengeId, version: int, message: MessageId) -> None:
        """Notes that this version of a challenge stands on its card, or a later one already did."""

    async def add_match(self, match: Match) -> Match:
        """Stores a match before its first event, gives it its id and puts it in the outbox. Raises ChannelTaken."""

    async def save(self, match: Match, answer_until: Millis | None = None) -> None:
        """Appends the match's last event and puts its version in the outbox, where the answer to a click may deliver it
        until `answer_until`.

        Raises Stale if the stored version is not the one before, or the event's source was stored already.
        """

    async def save_person(self, person: Person) -> Person:
        """Stores changed settings and counts them. Raises Stale if they have changed since they were read."""

    async def save_server(self, server: Server) -> Server:
        """Stores changed settings and counts them. Raises Stale if they have changed since they were read."""

    async def relocate(self, match: MatchId, channel: ChannelId) -> None:
        """Plays the match on in another channel, without a thread. Raises ChannelTaken."""

    async def rehouse(self, match: MatchId, guild: GuildId | None, channel: ChannelId) -> None:
        """Plays a lost match on in another channel, where its newest version will be posted. Raises ChannelTaken."""

    async def reschedule(self, match: Match) -> None:
        """Brings the stored deadline and reminder up to date, of a match that stands as it was read. Raises Stale."""

    async def reminded(self, match: Match, notice: Notice | None) -> None:
        """Notes that the reminder of this turn is done, by a notice or without. Raises Stale if that is known."""

    async def notified(self, notice: Notice) -> None:
        """Takes a notice out of the outbox."""

    async def beat(self, away: Millis, *, first: bool = False) -> Span | None:
        """Notes that the bot is at work; it is the first thing in its transaction, whose `now` stays that of the note.
        If the last note is older than `away`, the gap was a downtime: from now on it is part of what every match is
        replayed with, challenges and rounds of tournaments have as much more time, and it is returned. With the `first`
        note of a process any gap was one, where no other process can have been at work.

        A note that lies in the future, further than `away`, is from a clock that was wrong: it is taken back, and no
        downtime ends later than now.

        Stored deadlines and reminders are then too early, never too late: whoever finds one due judges the match anew,
        and reschedules it.
        """

    async def save_plan(self, plan: Plan) -> None:
        """Stores a player's plan in place of the one before."""

    async def drop_plan(self, match: MatchId, seat: Seat) -> None:
        """Forgets a player's plan, if there is one."""

    async def take_plans(self, match: MatchId) -> list[Plan]:
        """Forgets the plans of a match, and returns them."""

    async def add_vacation(self, vacation: Vacation) -> None: ...

    async def end_vacation(self, vacation: Vacation) -> None:
        """Stores the earlier end of a vacation. Raises Stale if there is none that began then."""

    async def announced(self, announcement: Announcement, message: MessageId | None) -> None:
        """Takes a version out of the outbox: it stands in `message`, or (None) it can never be posted."""


class Store(Protocol):
    """Where matches live."""

    def read(self) -> AbstractAsyncContextManager[Reader]: ...

    def write(self) -> AbstractAsyncContextManager[Transaction]: ...


class WatchedStore(Store, Protocol):
    """A store that knows how it is."""

    async def examine(self) -> None:
        """Returns if what is stored can be read and written. Raises Unavailable, as late as the store does."""

    async def watch(self) -> None:
        """Waits for as long as the store is there. Raises Gone."""
