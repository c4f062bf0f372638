"""One live game at a time: its clock runs whether or not a player is at another board."""

from __future__ import annotations

from play.challenge import challenge as challenges
from play.challenge.challenge import Challenge
from play.clock import Speed
from play.ids import UserId, is_person
from play.match.match import Match
from play.refusal import Reason, Refused
from storage.unit_of_work import Reader, Transaction

MAX_GIVING_WAY = 100
"""Open challenges of one player that are looked through: more than they may make, and all that they are asked for in a
day."""


async def check_others_free(reader: Reader, challenge: Challenge, match: Match, user: UserId) -> None:
    """Raises Refused (`in_live_game`) if a live match would begin for a player who is in another one, without `user`,
    who begins it and knows of their own."""
    if not _is_live(challenge):
        return
    for player in match.players:
        if player != user and is_person(player) and await _plays_live(reader, player, user):
            raise Refused(Reason.IN_LIVE_GAME, user=player)


async def give_way(tx: Transaction, begun: Challenge, match: Match) -> list[Challenge]:
    """Ends or frees the other live challenges of the players of a live match that has begun; returns those that have
    changed."""
    changed: dict[int, Challenge] = {}
    for player in filter(is_person, match.players if _is_live(begun) else ()):
        for standing in await tx.challenges.involving(player, MAX_GIVING_WAY):
            left = challenges.give_way(standing, player)
            if left is not standing:
                await tx.challenges.save(left)
                changed[left.id] = left
    return list(changed.values())


def _is_live(challenge: Challenge) -> bool:
    """Returns whether a challenge is for a live match of people: the computer is left without a word."""
    return challenge.terms.control.speed is Speed.LIVE and challenge.terms.level is None


async def _plays_live(reader: Reader, player: UserId, user: UserId) -> bool:
    """Returns whether a player is in a live match with people, of whom `user` is none."""
    entries = await reader.matches.open_of(player)
    live = [entry.id for entry in entries if entry.speed is Speed.LIVE and user not in entry.players]
    offered = await reader.challenges.of_matches(live)
    return any(match not in offered or _is_live(offered[match]) for match in live)
