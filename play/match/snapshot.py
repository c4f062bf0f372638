"""A match without players and channel: all that is needed to continue it elsewhere."""

from dataclasses import dataclass, replace
from typing import Self

from play.clock import TimeControl
from play.clock.agreement import NO_AGREEMENT, TimeAgreement
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.events import Event
from play.match.match import Match
from rules.game import AnyGame


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """A match without its ids and without the keys of its events.

    When players sleep and rest is private, so clocks here run day and night.
    """

    game: AnyGame
    seed: int
    control: TimeControl
    started: Millis
    events: tuple[Event, ...]
    agreement: TimeAgreement = NO_AGREEMENT

    @classmethod
    def of(cls, match: Match) -> Self:
        """Returns the snapshot of `match`."""
        events = tuple(replace(event, key=None, by=None) for event in match.events)
        return cls(match.game, match.seed, match.clock.control, match.started, events, match.agreement)

    def restore(
        self,
        id: MatchId,  # noqa: A002 - the field's name
        *,
        guild: GuildId | None,
        channel: ChannelId,
        parent: ChannelId | None,
        players: tuple[UserId, ...],
    ) -> Match:
        """Returns the match, replayed by its rules. Raises RuleError for events that the rules do not allow."""
        match = Match.begin(
            id,
            guild=guild,
            channel=channel,
            parent=parent,
            game=self.game,
            seed=self.seed,
            players=players,
            control=self.control,
            at=self.started,
            agreement=self.agreement,
        )
        for event in self.events:
            match = match.after(event)
        return match

    def kept_moves(self) -> frozenset[int]:
        """Returns the numbers, from 0, of the events that are moves and were not taken back.

        Raises RuleError as `match` does, but only if a move was taken back.
        """
        if not any(event.changes_position and not event.is_move for event in self.events):
            return frozenset(number for number, event in enumerate(self.events) if event.is_move)
        players = tuple(map(UserId, range(self.game.seats)))
        match = self.restore(MatchId(0), guild=None, channel=ChannelId(0), parent=None, players=players)
        kept = set(map(id, match.moves))
        return frozenset(number for number, event in enumerate(self.events) if id(event) in kept)
