"""Matches as lists show them, without their histories."""

from dataclasses import dataclass

from play.clock import Speed
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.match import AwayPlace, MatchPlace
from rules.game import AnyGame, Seat


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
