"""What a match has to keep so that it can be played on elsewhere: everything but people and places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from play.clock import TimeControl
from play.clock.agreement import NOTHING, Agreement
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.events import Event
from play.match.match import Match
from rules.game import AnyGame


@dataclass(frozen=True, slots=True)
class History:
    """A match without its ids; its events have no source. When its players sleep and rest is theirs to know, so that
    here every clock runs day and night."""

    game: AnyGame
    seed: int
    control: TimeControl
    started: Millis
    events: tuple[Event, ...]
    agreement: Agreement = NOTHING

    @classmethod
    def of(cls, match: Match) -> Self:
        events = tuple(replace(event, source=None, by=None) for event in match.events)
        return cls(match.game, match.seed, match.clock.control, match.started, events, match.agreement)

    def match(
        self,
        id: MatchId,  # noqa: A002 - the field's name
        *,
        guild: GuildId | None,
        channel: ChannelId,
        parent: ChannelId | None,
        players: tuple[UserId, ...],
    ) -> Match:
        """The match, played through by its rules. Raises RuleError for a history that they do not allow."""
        match = Match.begun(
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

    def standing(self) -> frozenset[int]:
        """The numbers, from 0, of the events that are moves and were not taken back. Raises RuleError as `match` does,
        if there are any that may have been."""
        if not any(event.changes_position and not event.is_move for event in self.events):
            return frozenset(number for number, event in enumerate(self.events) if event.is_move)
        players = tuple(map(UserId, range(self.game.seats)))
        match = self.match(MatchId(0), guild=None, channel=ChannelId(0), parent=None, players=players)
        kept = set(map(id, match.moves))
        return frozenset(number for number, event in enumerate(self.events) if id(event) in kept)
