"""Messages about a game: what a turn would do, and playing it or, for members of a side, voting for it; and all
other deeds.

Those are ends, offers, take-backs and rematches, and messages that only ask.
"""

import asyncio
import re
from collections.abc import Callable
from functools import partial

from play.clock import Speed
from play.ids import ChallengeId, IdempotencyKey, MatchId, Millis, UserId
from play.match.choices import Action
from play.match.events import OfferKind
from play.match.match import Match
from play.match.moves import acting_seat
from play.refusal import Reason, Refused
from play.votes import Choice, Vote, decided_move
from presentation.votes import ask_for_draw_text, choice_text, tally_picture, tally_text, turn_votes_text
from presentation.words.words import Words
from rules.game import Seat
from storage import Database
from use_cases.match_actions import MatchActions
from use_cases.matches import Matches
from use_cases.votes import Votes
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.live.pictures import ghost, picture_json
from web.live.sender import Sender, Shares
from web.ports import Rematches, Voters
from web.presentation.actions import RULES, SHOW_VOTES, vote_label
from web.presentation.advisor import Advisor
from web.presentation.narrator import Narrator, Question
from web.presentation.readers import Readers

MOVES = frozenset({Action.STOP, Action.LAND})
"""Actions that are turns."""

MAX_WHAT = 32
"""Characters of what is to be described."""

CALLS = frozenset({"stop", "land"})
"""Actions that are turns."""

PROPOSALS = {"draw": OfferKind.DRAW, "end": OfferKind.END}
"""Actions that are offers."""

MAX_ACTION = 48
"""Characters of an action's key."""

REMATCHES = re.compile(
    r"rematch(:(?P<way>accept|decline):(?P<challenge>[0-9]{1,18}):(?P<changes>[0-9]{1,3}))?", re.ASCII
)
"""Actions about a rematch: to offer one, or to answer a challenge after so many changes of its terms."""


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
        line = words("web.voted", move=move, when=words.until(ballot.closes, at))
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
        sure, keep = vote_label(action, words), words("button.play_on")
        if action == Action.DRAW:
            return Question(ask_for_draw_text(match, words), None, sure, keep)
        question = await self._narrator.ask(match, sender.account_in(match), sender.audience, action)
        return Question(f"{question.line}\n{words('vote.two_thirds')}", question.picture, sure, keep)

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


class Turns:
    """Answers `try` and `play`."""

    def __init__(
        self,
        matches: Matches,
        sessions: WebSessions,
        narrator: Narrator,
        readers: Readers,
        shares: Shares,
        ballots: Ballots,
    ) -> None:
        self._matches = matches
        self._sessions = sessions
        self._narrator = narrator
        self._readers = readers
        self._shares = shares
        self._ballots = ballots

    async def preview(self, sender: Sender, message: Json) -> Json:
        """Answers `try` with a ghost."""
        number, steps = bodies.number(message, "id"), bodies.steps(message)
        version = bodies.number(message, "version")
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        require_turn(match, sender.account_in(match))
        if version != match.version:
            raise Refused(Reason.STALE)
        words = self._readers.words(sender.audience.language)
        shown = await self._shares.run(sender.user, partial(asyncio.to_thread, ghost, match, steps, words))
        return {"is": "ghost", "id": number, "version": version, **shown}

    async def play(self, sender: Sender, message: Json) -> Json:
        """Answers `play`: the turn is played, once for each key."""
        key, version = bodies.key(message), bodies.number(message, "version")
        turn = bodies.typed(message, "turn", bodies.MAX_TURN)
        match = await self._matches.load(sender.match)
        self._readers.limits.admit_user(sender.user, match.guild)
        at = await self._sessions.now()
        number = idempotency_key(sender, key)
        if sender.audience.votes:
            return await self._ballots.cast(sender, match, Choice.MOVE, turn, key, at, number, version)
        after = await self._matches.move(sender.match, sender.user, turn, at, number, version=version)
        return await done(self._narrator, sender, key, number, after) | await self._next_game(sender, after)

    async def _next_game(self, sender: Sender, after: Match) -> Json:
        """Returns the way to the next game that waits for the player of a game over days; a live one goes on at
        once, and so does one whose next move is the computer's."""
        if after.clock.control.speed is Speed.LIVE or self._narrator.awaits_computer(after):
            return {}
        waiting = await self._matches.waiting_for(sender.user, after.id)
        if not waiting:
            return {}
        words = self._readers.words(sender.audience.language)
        label = words("games.next", number=len(waiting))
        opens = await self._readers.opens_next(sender.user)
        return {"next": {"match": waiting[0].id, "label": label, "opens": opens}}


async def done(narrator: Narrator, sender: Sender, key: str, number: IdempotencyKey, after: Match) -> Json:
    """Returns the answer to a deed, also to one that was sent before."""
    happened = [version for version, event in enumerate(after.events, 1) if event.key == number]
    version = happened[0] if happened else after.version
    return {"is": "done", "id": key, "version": version, "line": await narrator.story(after, sender.audience)}


def idempotency_key(sender: Sender, key: str) -> IdempotencyKey:
    """Returns the key of a deed among those of chats and of the program: the same for the same user, match and key of
    the browser, in any process."""
    return bodies.deed_key(sender.user, str(sender.match), key)


def require_turn(match: Match, account: UserId) -> None:
    """Raises Refused unless it is the turn of an account."""
    if acting_seat(match, account) != match.to_act:
        raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])


class Looks:
    """Answers `describe`, `hint` and `ping`."""

    def __init__(self, matches: Matches, narrator: Narrator, readers: Readers, advisor: Advisor) -> None:
        self._matches = matches
        self._narrator = narrator
        self._readers = readers
        self._advisor = advisor

    async def hint(self, sender: Sender, message: Json) -> Json:
        """Answers `hint` with a turn of the computer's, and the question whether to play it."""
        number, version = bodies.number(message, "id"), bodies.number(message, "version")
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        require_turn(match, sender.user)
        if version != match.version:
            raise Refused(Reason.STALE)
        await self._advisor.require_advice(match)
        found = await self._advisor.hint(match, sender.user, sender.audience)
        words = self._readers.words(sender.audience.language)
        labels = {"sure": words("hint.play"), "keep": words("button.back")}
        picture = await asyncio.to_thread(picture_json, found.picture)
        asked = {"line": found.line, "picture": picture, "turn": found.turn, **labels}
        return {"is": "asked", "id": number, "version": version, **asked}

    async def describe(self, sender: Sender, message: Json) -> Json:
        """Answers `describe` with a part of the board in words."""
        number, what = bodies.number(message, "id"), bodies.typed(message, "what", MAX_WHAT)
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        return {"is": "text", "id": number, "line": await self._narrator.describe(match, sender.audience, what)}

    async def ping(self, _: Sender, __: Json) -> Json:
        """Answers `ping`."""
        return {"is": "pong"}


class Deeds:
    """Answers `ask` and `act`."""

    def __init__(
        self,
        matches: Matches,
        actions: MatchActions,
        sessions: WebSessions,
        narrator: Narrator,
        readers: Readers,
        rematches: Callable[[UserId], Rematches],
        shares: Shares,
        ballots: Ballots,
    ) -> None:
        self._matches = matches
        self._actions = actions
        self._sessions = sessions
        self._narrator = narrator
        self._readers = readers
        self._rematches = rematches
        self._shares = shares
        self._ballots = ballots

    async def ask(self, sender: Sender, message: Json) -> Json:
        """Answers `ask` with what an action would do."""
        number, version = bodies.number(message, "id"), bodies.number(message, "version")
        action = bodies.text(message, "action", MAX_ACTION)
        if sender.audience.seat is None and action not in (RULES, SHOW_VOTES):
            raise Refused(Reason.ONLY_WATCHING)
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        if version != match.version:
            raise Refused(Reason.STALE)
        if action == RULES:
            question = self._narrator.rules(match, sender.audience)
        elif sender.audience.votes or sender.audience.seat is None:
            question = await self._ballots.ask(sender, match, action)
        else:
            asking = partial(self._narrator.ask, match, sender.user, sender.audience, action)
            question = await self._shares.run(sender.user, asking)
        picture = None if question.picture is None else await asyncio.to_thread(picture_json, question.picture)
        asked = {"line": question.line, "picture": picture, "sure": question.sure, "keep": question.keep}
        return {"is": "asked", "id": number, "version": version, **asked}

    async def act(self, sender: Sender, message: Json) -> Json:
        """Answers `act`: the action is done, once for each key."""
        key, version = bodies.key(message), bodies.number(message, "version")
        action = bodies.text(message, "action", MAX_ACTION)
        match = await self._matches.load(sender.match)
        self._readers.limits.admit_user(sender.user, match.guild)
        at, number = await self._sessions.now(), idempotency_key(sender, key)
        if sender.audience.votes:
            return await self._ballots.act(sender, match, action, key, at, number, version)
        if (asked := REMATCHES.fullmatch(action)) is not None:
            begun = await self._rematch(sender, match, asked, at, number)
            return await done(self._narrator, sender, key, number, match) | {"match": begun}
        after = await self._do(sender, match, action, at, number, version)
        return await done(self._narrator, sender, key, number, after)

    async def _rematch(
        self, sender: Sender, match: Match, asked: re.Match[str], at: Millis, key: IdempotencyKey
    ) -> MatchId | None:
        """Offers a rematch, or answers the one that an action names; returns the match that has begun by it. Raises
        Refused."""
        if (way := asked["way"]) is None:
            return await self._rematches(sender.user).rematch(match, sender.user, at, key)
        challenge, changes = ChallengeId(int(asked["challenge"])), int(asked["changes"])
        answer = self._rematches(sender.user).answer_rematch
        return await answer(match, sender.user, challenge, changes, at, accepts=way == "accept")

    async def _do(
        self, sender: Sender, match: Match, action: str, at: Millis, key: IdempotencyKey, version: int
    ) -> Match:
        """Does an action. Raises Refused (`bad_message` for one that there is not)."""
        name, _, kind = action.partition(":")
        if action in CALLS:
            return await self._matches.move(match.id, sender.user, action, at, key, version=version)
        if action in PROPOSALS:
            return await self._actions.propose(match.id, sender.user, PROPOSALS[action], at, key, version=version)
        if name in ("agree", "disagree") and kind in set(OfferKind):
            answer = self._actions.agree if name == "agree" else self._actions.disagree
            return await answer(match.id, sender.user, OfferKind(kind), at, key, version=version)
        plain = {
            "resign": self._matches.resign,
            "abort": self._actions.abort,
            "takeback": self._actions.take_back,
            "resume": self._actions.resume,
        }
        if action not in plain:
            raise Refused(Reason.BAD_MESSAGE)
        return await plain[action](match.id, sender.user, at, key, version=version)
