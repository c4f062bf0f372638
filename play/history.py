"""What a match has to keep so that it can be played on elsewhere: everything but people and places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from play.clock import TimeControl
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match import Event, Match
from rules.game import AnyGame


@dataclass(frozen=True, slots=True)
class History:
    """A match without its ids; its events have no source."""

    game: AnyGame
    seed: int
    control: TimeControl
    started: Millis
    events: tuple[Event, ...]

    @classmethod
    def of(cls, match: Match) -> Self:
        events = tuple(replace(event, source=None) for event in match.events)
        return cls(match.game, match.seed, match.clock.control, match.started, events)

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
        )
        for event in self.events:
            match = match.after(event)
        return match
