"""Votes of members of a side: stored where a player's turn is played, with the tally as their answer."""

from __future__ import annotations

import asyncio

from play.ids import IdempotencyKey, Millis
from play.match.choices import Action
from play.match.match import Match
from play.refusal import Reason, Refused
from play.votes.turn import decided_move
from play.votes.vote import Choice, Vote
from presentation.votes import choice_text, tally_picture, tally_text, turn_votes_text
from presentation.words.words import Words
from rules.point import Seat
from storage import Database
from use_cases.votes import Votes
from web.bodies import Json
from web.live.pictures import picture_json
from web.live.sender import Sender
from web.ports import Voters
from web.presentation.narrator import SHOW_VOTES, Narrator, Question, vote_label
from web.presentation.readers import Readers

MOVES = frozenset({Action.STOP, Action.LAND})
"""Actions that are turns."""


class Ballots:
    """Answers for those who vote what `Turns` and `Deeds` answer for players."""

    def __init__(self, store: Database, votes: Votes, voters: Voters, narrator: Narrator, readers: Readers) -> None:
        self._store = store
        self._votes = votes
        self._voters = voters
        self._narrator = narrator
        self._readers = readers

    async def cast(
        self,
        sender: Sender,
        match: Match,
        choice: Choice,
        text: str,
        key: str,
        at: Millis,
        number: IdempotencyKey,
        version: int,
    ) -> Json:
        """Stores a vote; answers with it and the tally. Raises Refused."""
        voter = await self._voters.voter(match, sender.user)
        ballot = await self._votes.cast(match.id, voter, choice, text, at, number, version)
        words = self._readers.words(sender.audience.language)
        move = choice_text(match.game, ballot.vote.choice, ballot.vote.text, words)
        line = words("web.voted", move=move, when=words.until(ballot.closes))
        tally = await self._tally(sender, match)
        assert tally.picture is not None, "a tally is drawn"
        shown = {"line": tally.line, "picture": await asyncio.to_thread(picture_json, tally.picture)}
        return {"is": "done", "id": key, "version": match.version, "line": line, "tally": shown}

    async def ask(self, sender: Sender, match: Match, action: str) -> Question:
        """Returns what a vote would be for; of `SHOW_VOTES` the tally. Raises Refused."""
        words = self._readers.words(sender.audience.language)
        if action == SHOW_VOTES:
            match = match.look_from(away=sender.audience.away)
            is_open = sender.audience.votes and sender.audience.seat == match.to_act
            return await (self._tally(sender, match) if is_open else self._decided(match, sender.audience.seat, words))
        keep = words("button.play_on")
        if action == Action.DRAW:
            line, picture = words("vote.ask.draw"), None
        else:
            question = await self._narrator.ask(match, sender.account_in(match), sender.audience, action)
            line, picture = question.line, question.picture
        sure = vote_label(action, words)
        return Question(f"{line}\n{words('vote.two_thirds')}", picture, sure, keep)

    async def act(
        self,
        sender: Sender,
        match: Match,
        action: str,
        key: str,
        at: Millis,
        number: IdempotencyKey,
        version: int,
    ) -> Json:
        """Votes for an action. Raises Refused (`bad_message` for one that is not voted about)."""
        if action == SHOW_VOTES:
            tally = await self._tally(sender, match)
            return {"is": "done", "id": key, "version": match.version, "line": tally.line}
        if action in MOVES:
            return await self.cast(sender, match, Choice.MOVE, action, key, at, number, version)
        if action not in (Action.DRAW, Action.RESIGN):
            raise Refused(Reason.BAD_MESSAGE)
        return await self.cast(sender, match, Choice(action), "", key, at, number, version)

    async def _decided(self, match: Match, seat: Seat | None, words: Words) -> Question:
        """Returns the votes by which a side, of one who watches any, played last. Raises Refused (`bad_message` before
        its first turn)."""
        if not (number := decided_move(match, seat)):
            raise Refused(Reason.BAD_MESSAGE)
        tally = await self._votes.tally_of_move(match, number)
        assert tally is not None, "a side has played the move"
        picture = await asyncio.to_thread(tally_picture, match, tally)
        return Question(turn_votes_text(match, tally, number, words), picture, "", words("button.back"))

    async def _tally(self, sender: Sender, match: Match) -> Question:
        """Returns the tally with its picture. Raises Refused (`vote_first`)."""
        tally = await self._votes.tally(match.id, sender.user)
        async with self._store.read() as reader:
            own: Vote | None = await reader.votes.newest_of(sender.user, (tally.side,))
        words = self._readers.words(sender.audience.language)
        picture = await asyncio.to_thread(tally_picture, match, tally, own)
        text = f"{tally_text(match, tally, words)}\n{words('vote.legend')}"
        return Question(text, picture, words("button.look_again"), words("button.change_vote"))
