"""Rows of a match into values, and values into rows."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zoneinfo import ZoneInfo

from play.clock import TimeControl, parse_control
from play.clock.agreement import TimeAgreement, parse_match_agreement
from play.clock.schedule import UTC, ClockSchedule, Span, parse_night
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.match.events import Event, EventKind
from play.match.listed import OpenMatch
from play.match.match import AwayPlace, Match
from rules.game import AnyGame, Seat
from rules.registry import restore_game
from storage.statements import AnyRow, Values


def _rules_values(game: AnyGame, control: TimeControl) -> Values:
    return {"game": game.key, "options": dict(game.options), "control": str(control)}


def match_values(match: Match) -> Values:
    """Returns the row of a match that begins."""
    return {
        "guild": match.guild,
        "channel": match.channel,
        "parent": match.parent,
        "seed": match.seed,
        "agreement": str(match.agreement),
        "started": match.started,
        "lost": False,
        "rule_set": match.rule_set,
        "predictable": match.predictable,
        "strangers": match.strangers,
        "extra": list(match.extra) or None,
        **({} if match.away is None else in_place(_place_values(match.away), away=True)),
        **_rules_values(match.game, match.clock.control),
        **state_values(match),
    }


def in_place(values: Values, *, away: bool) -> Values:
    """Returns values of a match's place, named by the columns of the second place if it is the one `away`."""
    return {f"away_{column}": value for column, value in values.items()} if away else values


def _place_values(place: AwayPlace) -> Values:
    """Returns the values of a second place, in which nothing was posted yet."""
    return {
        "guild": place.guild,
        "channel": place.channel,
        "parent": place.parent,
        "seat": place.seat,
        "lost": False,
    }


def read_away(row: AnyRow) -> AwayPlace | None:
    """Returns the second place of a match, if it has one."""
    if row.away_channel is None:
        return None
    return AwayPlace(row.away_guild, row.away_channel, row.away_parent, row.away_seat)


def state_values(match: Match) -> Values:
    """Returns the columns that follow from the events so far."""
    outcome = match.outcome
    return {
        "version": match.version,
        "to_act": match.to_act,
        "turned": match.clock.since,
        **due_values(match),
        "ended": match.clock.since if outcome else None,
        "reason": outcome.reason if outcome else None,
        "winners": list(outcome.winners) if outcome else None,
    }


def due_values(match: Match) -> Values:
    """Returns the deadline, with the downtimes that are known by now."""
    clock = match.clock
    known = clock.downtimes[-1].end if clock.downtimes else match.started
    return {"deadline": clock.deadline, "known": known}


def seat_values(match: Match) -> list[Values]:
    """Returns the rows of a match's seats."""
    calendars = match.clock.schedules
    return [
        {
            "match": match.id,
            "seat": seat,
            "user": user,
            "zone": None if calendars[seat].zone is UTC else calendars[seat].zone.key,
            "night": calendars[seat].night and str(calendars[seat].night),
        }
        for seat, user in enumerate(match.players)
    ]


def read_start(row: AnyRow, seats: Sequence[AnyRow]) -> Match:
    """Returns a match before its first event, from one row a seat in their order."""
    control = parse_control(row.control)
    agreement = parse_match_agreement(row.agreement, control)
    match = Match.begin(
        row.id,
        guild=row.guild,
        channel=row.channel,
        parent=row.parent,
        game=restore_game(row.game, row.options),
        seed=row.seed,
        players=tuple(seat.user for seat in seats),
        control=control,
        at=row.started,
        agreement=agreement,
        rule_set=row.rule_set,
        predictable=row.predictable,
        strangers=row.strangers,
        away=read_away(row),
        schedules=tuple(_calendar(seat, agreement) for seat in seats),
    )
    return match.with_extra(tuple(row.extra)) if row.extra else match


def _calendar(seat: AnyRow, agreement: TimeAgreement) -> ClockSchedule:
    zone = UTC if seat.zone is None else ZoneInfo(seat.zone)
    return ClockSchedule(zone, seat.night and parse_night(seat.night), agreement.weekends)


def read_event(row: AnyRow) -> Event:
    """Returns the event of a row."""
    return Event(EventKind(row.kind), row.seat, row.text, row.at, row.source, row.by, Millis(row.lost or 0))


def event_values(match: Match) -> Values:
    """Returns the row of a match's newest event."""
    event = match.events[-1]
    return {
        "match": match.id,
        "seq": match.version,
        "kind": event.kind.value,
        "seat": event.seat,
        "text": event.text,
        "at": event.at,
        "source": event.key,
        "by": event.by,
        "lost": event.lost or None,
    }


def read_open_match(user: UserId, seats: Sequence[AnyRow], downtimes: Iterable[Span]) -> OpenMatch:
    """Returns an open match where `user` is at home, from one row a seat in their order. Its deadline is put off by
    those `downtimes` that its row does not include yet."""
    row, deadline = seats[0], seats[0].deadline
    players = tuple(seat.user for seat in seats)
    place = home_of(row, user, players)
    for downtime in downtimes:
        if deadline is not None and downtime.end > row.known and deadline > downtime.start:
            deadline += downtime.end - max(downtime.start, row.turned)
    return OpenMatch(
        row.id,
        place.guild,
        place.channel,
        place.board,
        restore_game(row.game, row.options),
        players,
        row.to_act,
        deadline,
        parse_control(row.control).speed,
        row.version,
        place.lost,
        frozenset(seat.user for seat in seats if seat.quiet),
        place.parent,
        place.away,
    )


class PlaceRow(NamedTuple):
    """A place of a match, its newest board there, whether it is the second one, and the other one."""

    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    board: MessageId | None
    lost: bool
    away: bool
    other: AwayPlace | None


def home_of(row: AnyRow, user: UserId, players: Sequence[UserId]) -> PlaceRow:
    """Returns the place of a match where its player `user` is at home: the first one for all others."""
    if row.away_seat is not None and players[row.away_seat] == user:
        other = AwayPlace(row.guild, row.channel, row.parent, Seat(1 - row.away_seat))
        return PlaceRow(row.away_guild, row.away_channel, row.away_parent, row.away_board, row.away_lost, True, other)
    return PlaceRow(row.guild, row.channel, row.parent, row.board, row.lost, False, read_away(row))
