"""The rematch of a game that is over, as its players see it: what waits for whom, and what has become of it."""

from typing import NamedTuple

from play.challenge.challenge import Challenge, ChallengeState
from play.ids import Millis, UserId
from presentation.people import Names
from presentation.words.words import Words
from web.bodies import Json
from web.presentation.lobby import terms_line

ENDED = {
    ChallengeState.DECLINED: "web.rematch.declined",
    ChallengeState.WITHDRAWN: "web.rematch.withdrawn",
    ChallengeState.OVERTAKEN: "web.rematch.overtaken",
}
"""Sentences about rematches that a player has ended, for the others."""


class ToldRematch(NamedTuple):
    """What a player is told: an open `offer` with its answers, or a `note` about one that has ended."""

    offer: Json | None = None
    note: str = ""


async def tell_rematch(challenge: Challenge, user: UserId, now: Millis, names: Names, words: Words) -> ToldRematch:
    """Returns what a player of the former match is told about the rematch that was offered last."""
    is_open = challenge.state is ChallengeState.OPEN
    if challenge.state is ChallengeState.ACCEPTED or (is_open and challenge.message is None):
        return ToldRematch()
    if challenge.state is ChallengeState.EXPIRED or (is_open and challenge.expires <= now):
        return ToldRematch(note=words("web.rematch.expired"))
    if is_open:
        return ToldRematch(await _offer(challenge, user, names, words))
    actor = challenge.opponent if challenge.state is ChallengeState.DECLINED else challenge.challenger
    if actor is None or actor == user:
        return ToldRematch()  # they know what they have done
    return ToldRematch(note=words(ENDED[challenge.state], name=await names.of(actor, challenge.guild)))


async def _offer(challenge: Challenge, user: UserId, names: Names, words: Words) -> Json:
    async def name_of(player: UserId) -> str:
        return await names.of(player, challenge.guild)

    def answer(way: str, label: str, style: str) -> Json:
        key = f"rematch:{way}:{challenge.id}:{challenge.changes}"
        return {"key": key, "label": words(f"button.{label}"), "style": style, "ask": False}

    actions = []
    if user == challenge.proposer:
        other = challenge.challenger if challenge.countered_by else challenge.opponent
        text = words("web.rematch.open") if other is None else words("web.rematch.waits", name=await name_of(other))
        actions = [answer("decline", "withdraw", "secondary")]
    elif user in challenge.joined:
        text = words("web.rematch.joined")
    else:
        text = words("web.rematch.asks", name=await name_of(challenge.proposer))
        actions = [answer("accept", "join" if challenge.seats > 2 else "accept", "primary")]
        if challenge.awaits(user):
            actions.append(answer("decline", "decline", "secondary"))
    if challenge.changes:
        text = f"{text}\n{terms_line(challenge.terms, await name_of(challenge.challenger), words)}"
    return {"key": "rematch", "text": text, "actions": actions}
