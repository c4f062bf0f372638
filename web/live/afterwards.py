"""Messages about a game that is over: its moves, to step through, and its review. They change nothing."""

import asyncio
from collections.abc import Sequence

import orjson
from cachetools import LRUCache

from opponent.review import Review, replay_positions
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.advice import line_picture
from presentation.match.phrases import turn_text
from presentation.people import Names
from presentation.reviews import head_text, mistake_text, own_verdict, purposes_of
from presentation.text import signed
from presentation.words.words import Words
from use_cases.matches import Matches
from web import bodies
from web.bodies import Json
from web.live.pictures import picture_json
from web.live.plies import Plies, move_name, replay
from web.live.sender import Handler, Sender
from web.ports import Coach, Jobs
from web.presentation.readers import Readers

CACHE_SIZE = 64
"""Games whose positions stay in memory, some 100 kB each."""


class Afterwards:
    """Answers `replay` and `review`, to all who see a game that is over."""

    def __init__(self, matches: Matches, readers: Readers, names: Names, jobs: Jobs, coach: Coach) -> None:
        self._matches = matches
        self._readers = readers
        self._names = names
        self._jobs = jobs
        self._coach = coach
        self._played = LRUCache[tuple[MatchId, int], Plies](CACHE_SIZE)

    def families(self) -> dict[str, Handler]:
        """Returns the handlers by the names of their messages."""
        return {"replay": self.replay, "review": self.review}

    async def replay(self, sender: Sender, message: Json) -> Json:
        """Answers `replay` with all positions of the game, its moves and the scores."""
        number, match = await self._find(sender, message)
        key = match.id, match.version
        if (played := self._played.get(key)) is None:
            moves = tuple(move.text for move in match.moves)
            work = replay, match.game, match.seed, moves, match.score, ""
            played = self._played[key] = await self._jobs.pages.make(sender.user, *work)
        words = self._readers.words(sender.audience.language)
        names = await self._names.of_all(match.players, match.guild)
        told = [
            f"{names[move.seat]}: {move_name(match.game, move.text)}{f' ({signed(gain)})' if gain else ''}"
            for move, gain in zip(match.moves, match.gains, strict=True)
        ]
        scores = [[words.number(points) for points in each] for each in played.scores]
        return {"is": "replay", "id": number, "game": orjson.Fragment(played.data), "moves": told, "scores": scores}

    async def review(self, sender: Sender, message: Json) -> Json:
        """Answers `review` with the turning points of the game."""
        number, match = await self._find(sender, message)
        with self._jobs.one_at_a_time(sender.user):
            found = await self._coach.review(match, sender.user)
        words, seat = self._readers.words(sender.audience.language), sender.audience.seat
        match = match.look_from(away=sender.audience.away)
        names = await self._names.of_all(match.players, match.guild)
        head = head_text(found, words, curve=False)
        if seat is not None and not sender.audience.votes:
            head = own_verdict(match, found, seat, words) or head
        turns = await asyncio.to_thread(tell_turns, match, found, names, words)
        return {"is": "review", "id": number, "line": head, "turns": turns}

    async def _find(self, sender: Sender, message: Json) -> tuple[int, Match]:
        """Returns the number of a message, and the game. Raises Refused (`match_goes_on`)."""
        number = bodies.number(message, "id")
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        if match.outcome is None:
            raise Refused(Reason.MATCH_GOES_ON)
        return number, match


def tell_turns(match: Match, found: Review, names: Sequence[str], words: Words) -> list[Json]:
    """Returns each turning point: its move, what was better, and the board with that."""
    positions = replay_positions(match.game, match.seed, [move.text for move in match.moves])
    return [
        {
            "number": each.number,
            "label": f"{each.number} · {turn_text(match.game, each.played, words)}",
            "line": mistake_text(match, each, purpose, names[each.seat], words),
            "picture": picture_json(line_picture(match.game, positions[each.number - 1], each.line, each.played)),
        }
        for each, purpose in zip(found.mistakes, purposes_of(match.game, positions, found), strict=True)
    ]
