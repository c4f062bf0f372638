"""What the host of a tournament decides: its terms and all that may change before a round, its channel, and its end."""

from dataclasses import replace
from typing import Final

from play.challenge.terms import Terms
from play.clock import Blitz, PerMove, Speed
from play.competitions.tournament import Format, NoticeKind, Stage, Tournament
from play.ids import ChannelId
from play.refusal import Reason, Refused

CHANGEABLE: Final = ("name", "begins", "pace", "rounds", "terms")
"""What the host may change before a round begins."""


def check_terms(format: Format, terms: Terms) -> None:  # noqa: A002 - as the tournament's field
    """Raises Refused unless a tournament of this format can have such terms: `tournament_of_two`, `exhibition_clock`.

    The host of an exhibition needs more time than the others, which one for each move does not give.
    """
    if terms.game.seats != 2:
        raise Refused(Reason.TOURNAMENT_OF_TWO)
    control = terms.control
    if format is Format.EXHIBITION and control.speed is Speed.LIVE and isinstance(control, PerMove | Blitz):
        raise Refused(Reason.EXHIBITION_CLOCK)


def change(before: Tournament, after: Tournament) -> Tournament:
    """Returns `after`, in which the host has changed some of `CHANGEABLE`, and a notice of what it is; what is of
    rounds and games holds for those to come. Raises Refused."""
    if not before.is_open:
        raise Refused(Reason.TOURNAMENT_OVER)
    what = tuple(name for name in CHANGEABLE if getattr(after, name) != getattr(before, name))
    if "begins" in what:
        before.require(Stage.SIGN_UP)
        after = replace(after, reminded=False, postponed=False)
    if "rounds" in what and (after.format is not Format.SWISS or after.rounds < after.round):
        raise Refused(Reason.TOURNAMENT_ROUNDS, least=max(1, after.round))
    check_terms(after.format, after.terms)
    if after.pace is None:
        after = replace(after, round_ends=None)
    return after.with_notice(NoticeKind.CHANGED, *what) if what and after.playing else after


def move(tournament: Tournament, channel: ChannelId) -> Tournament:
    """Lets a tournament go on in another channel. Raises Refused (`tournament_over`)."""
    if not tournament.is_open:
        raise Refused(Reason.TOURNAMENT_OVER)
    return replace(tournament, channel=channel, message=None)


def cancel(tournament: Tournament) -> Tournament:
    """Cancels the tournament for its host. Raises Refused."""
    if not tournament.is_open:
        raise Refused(Reason.TOURNAMENT_OVER)
    return replace(tournament, stage=Stage.CANCELLED, round_ends=None, notices=())
