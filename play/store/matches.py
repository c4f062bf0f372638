"""Matches: their histories, and where they are played."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from play.clock import Speed
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.match import Match
from play.match.place import AwayPlace, MatchPlace
from rules.game import AnyGame
from rules.point import Seat


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """An open match in a user's list, without its history. `board` is the newest posted board; a `lost` match could not
    be posted where it is played. It does not ping the players in `quiet`. `parent` is the channel of its thread. A
    match in two places is listed where the user is at home."""

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    board: MessageId | None
    game: AnyGame
    players: tuple[UserId, ...]
    to_act: Seat
    deadline: Millis | None
    speed: Speed
    version: int
    lost: bool = False
    quiet: frozenset[UserId] = frozenset()
    parent: ChannelId | None = None
    is_turned: bool = False

    @property
    def place(self) -> MatchPlace:
        """The place of the match where the user is at home."""
        return MatchPlace(self.id, self.is_turned)

    def waits_for(self, user: UserId) -> bool:
        """Returns whether a user is to move, on a board that can be posted."""
        return self.players[self.to_act] == user and not self.lost


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that is over, without its history."""

    id: MatchId
    guild: GuildId | None
    channel: ChannelId
    players: tuple[UserId, ...]
    version: int
    away: AwayPlace | None = None


class MatchReader(Protocol):
    """Matches, as reads see them."""

    async def get(self, match: MatchId, version: int | None = None) -> Match | None:
        """Returns the match at its newest version, or at an earlier one."""

    async def of_ids(self, matches: Collection[MatchId]) -> dict[MatchId, Match]:
        """Returns those of the matches that there are, at their newest versions."""

    async def ended(self, match: MatchId) -> EndedMatch | None:
        """Returns a match that is over, by one row a player, however long it was."""

    async def versions(self, matches: Collection[MatchId]) -> dict[MatchId, int]:
        """Returns the newest version of each of the matches."""

    async def in_channel(self, channel: ChannelId) -> Match | None:
        """Returns the open match of a channel, or the one that ended there last, looked at from that place."""

    async def parent_of_thread(self, channel: ChannelId) -> ChannelId | None:
        """Returns the channel of a thread that was opened for a match, also if others were played in it since; None for
        any other channel."""

    async def unposted_in(self, channel: ChannelId) -> Match | None:
        """Returns the match of a channel, as `in_channel` finds it, if its newest version could not be posted: it is
        neither in the channel nor in the outbox."""

    async def shown_in(self, channel: ChannelId, *, away: bool = False) -> list[MatchId]:
        """Returns the open matches whose newest version is posted in a channel, or in a thread of it, which is one of
        their first places, or of those `away`."""

    async def is_lost(self, match: MatchId, *, away: bool = False) -> bool:
        """Returns whether nothing could be posted in one place of the match."""

    async def quiet_seats(self, match: MatchId) -> frozenset[Seat]:
        """Returns the seats whose players want no pings and reminders of this match."""

    async def language(self, match: MatchId, *, away: bool = False) -> str | None:
        """Returns the language in which a match is told where its server has none; None if that is not settled."""

    async def open_of(self, user: UserId) -> list[OpenMatch]:
        """Returns the open matches of a user: first those where it is their turn, the most urgent first."""

    async def threads_due(self, now: Millis, limit: int, *, away: bool = False) -> list[MatchId]:
        """Returns the open matches whose thread is to be opened for another week, the longest due first: that of their
        first place, or of the one `away`."""

    async def count_open(self, *, user: UserId | None = None, guild: GuildId | None = None) -> int:
        """Counts the open matches: of a user, in a server, or all."""

    async def count_begun(self) -> int:
        """Returns how many matches have ever begun, by their newest number; one that was given up unwritten counts."""


class MatchRepository(MatchReader, Protocol):
    """Matches, as a transaction writes them."""

    async def add(self, match: Match) -> Match:
        """Stores a match before its first event, gives it its id and puts it in the outbox.

        Raises ChannelTaken if another open match is played in one of its places.
        """

    async def save(self, match: Match, answer_until: Millis | None = None) -> None:
        """Appends the match's last event and puts its version in the outbox. Until `answer_until` the answer to a click
        may deliver it in the place that the match is looked at from.

        Raises Stale if the stored version is not the one before, or the event's interaction was stored already.
        """

    async def save_all(self, matches: Sequence[Match]) -> None:
        """Saves several matches, which were read in this transaction, as `save` does. Raises Stale."""

    async def begin_clock(self, match: Match) -> None:
        """Stores when the first turn of a match begins. Raises Stale if a turn was made."""

    async def settle_language(self, match: MatchId, language: str, *, away: bool = False) -> None:
        """Stores the language in which a match is told, unless it has one."""

    async def set_quiet(self, match: MatchId, seat: Seat, *, quiet: bool) -> None:
        """Notes whether a seat's player wants no pings and reminders of the match."""

    async def plan_reopening(self, match: MatchId, at: Millis | None, *, away: bool = False) -> None:
        """Notes when the thread of a match is to be opened for another week; None: not before its next board."""

    async def repost(self, match: MatchId, *, away: bool = False) -> None:
        """Puts the newest version of a match in the outbox, in place of all others, as if no board were posted in this
        place."""

    async def move_out_of_thread(self, match: MatchId, channel: ChannelId, *, away: bool = False) -> None:
        """Continues the match in a channel, without a thread. Raises ChannelTaken."""

    async def move_to_channel(
        self, match: MatchId, guild: GuildId | None, channel: ChannelId, *, away: bool = False
    ) -> None:
        """Continues a lost match in another channel, and puts its newest version in the outbox. Raises
        ChannelTaken."""
