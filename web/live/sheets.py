"""Messages about the analysis sheet: what is on it, its positions, and what becomes of them."""

import asyncio
from collections.abc import Callable
from functools import partial

from play.ids import MatchId
from play.match.match import Match
from play.match.sheet import Sheet, match_at
from play.match.turn_tree import TriedTurn
from play.refusal import Reason, Refused
from rules.game import Seat
from use_cases.sheets import Desk, Sheets
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.live.pictures import ghost, picture_json
from web.live.sender import Handler, Sender, Shares
from web.live.turns import done, idempotency_key
from web.presentation.advisor import Advisor
from web.presentation.narrator import Narrator
from web.presentation.readers import Readers

MAX_NOTE = 1000
"""Characters of a note on the way; the sheet takes fewer, and says how many."""


class SheetMessages:
    """Answers all messages about sheets. None of them changes the match but `plan`."""

    def __init__(
        self,
        sheets: Sheets,
        sessions: WebSessions,
        narrator: Narrator,
        readers: Readers,
        advisor: Advisor,
        shares: Shares,
        show_again: Callable[[MatchId], None],
    ) -> None:
        """Calls `show_again` where the boards of a match have to show what is published."""
        self._sheets = sheets
        self._sessions = sessions
        self._narrator = narrator
        self._readers = readers
        self._advisor = advisor
        self._shares = shares
        self._show_again = show_again

    def families(self) -> dict[str, Handler]:
        """Returns the handlers by the names of their messages."""
        return {
            "sheet": self.show,
            "scene": self.show_scene,
            "sketch": self.sketch,
            "lay": self.lay,
            "note": self.annotate,
            "erase": self.remove,
            "restore": self.restore,
            "plan": self.plan,
            "unplan": self.unplan,
            "publish": self.publish,
            "weigh": self.weigh,
        }

    async def show(self, sender: Sender, message: Json) -> Json:
        """Answers `sheet` with all that is on it."""
        number = bodies.number(message, "id")
        self._readers.limits.admit_look(sender.user)
        desk = await self._sheets.load(sender.match, sender.user)
        names = await self._narrator.names(desk.match)
        planned = desk.planned()
        return {
            "is": "sheet",
            "id": number,
            "version": desk.match.version + desk.sheet.version,
            "moves": [{"text": move.text, "seat": move.seat} for move in desk.match.moves],
            "turns": [{**_turn(turn), "planned": turn.id in planned} for turn in desk.sheet.turns],
            "computer": await self._advisor.may_advise(desk.match),
            "published": desk.sheet.published if desk.match.outcome else None,
            "others": [_shared(desk.match, other, names) for other in desk.others],
        }

    async def show_scene(self, sender: Sender, message: Json) -> Json:
        """Answers `scene` with a position, and what can be entered there."""
        number, match, _ = await self._scene(sender, message)
        return {
            "is": "scene",
            "id": number,
            "picture": await asyncio.to_thread(lambda: picture_json(match.position.picture())),
            **await self._narrator.scene(match, sender.audience),
        }

    async def sketch(self, sender: Sender, message: Json) -> Json:
        """Answers `sketch` with a ghost, as `try` does for the current position."""
        steps = bodies.steps(message)
        number, match, _ = await self._scene(sender, message)
        if match.outcome:
            raise Refused(Reason.MATCH_OVER)
        words = self._readers.words(sender.audience.language)
        shown = await self._shares.run(sender.user, partial(asyncio.to_thread, ghost, match, steps, words))
        return {"is": "ghost", "id": number, **shown}

    async def weigh(self, sender: Sender, message: Json) -> Json:
        """Answers `weigh` with the computer's view of a position."""
        number, match, desk = await self._scene(sender, message)
        await self._advisor.require_advice(desk.match)
        if match.outcome:
            raise Refused(Reason.MATCH_OVER)
        advice = await self._advisor.advise(match, sender.user, sender.audience)
        picture = await asyncio.to_thread(picture_json, advice.picture)
        return {"is": "weighed", "id": number, "line": advice.line, "picture": picture}

    async def lay(self, sender: Sender, message: Json) -> Json:
        """Answers `lay`: a turn is put on the sheet."""
        key, text = bodies.key(message), bodies.typed(message, "text", bodies.MAX_TURN)
        after, parent = bodies.number(message, "after"), bodies.optional_number(message, "turn")
        self._readers.limits.admit_look(sender.user)
        turn = await self._sheets.lay(sender.match, sender.user, text, after=after, parent=parent)
        return {"is": "done", "id": key, "turn": turn.id}

    async def annotate(self, sender: Sender, message: Json) -> Json:
        """Answers `note`: a note is written at a turn."""
        key, note = bodies.key(message), bodies.prose(message, "note", MAX_NOTE)
        turn = bodies.number(message, "turn")
        self._readers.limits.admit_look(sender.user)
        await self._sheets.annotate(sender.match, sender.user, turn, note)
        return {"is": "done", "id": key}

    async def remove(self, sender: Sender, message: Json) -> Json:
        """Answers `erase`: a turn leaves the sheet with all that follow it."""
        key, turn = bodies.key(message), bodies.number(message, "turn")
        self._readers.limits.admit_look(sender.user)
        await self._sheets.remove(sender.match, sender.user, turn)
        return {"is": "done", "id": key}

    async def restore(self, sender: Sender, message: Json) -> Json:
        """Answers `restore`: what was erased last comes back."""
        key, turn = bodies.key(message), bodies.number(message, "turn")
        self._readers.limits.admit_look(sender.user)
        await self._sheets.restore(sender.match, sender.user, turn)
        return {"is": "done", "id": key}

    async def plan(self, sender: Sender, message: Json) -> Json:
        """Answers `plan`: a branch becomes conditional moves. The own turn that it may begin with is played."""
        key, turn = bodies.key(message), bodies.number(message, "turn")
        version = bodies.number(message, "version")
        self._readers.limits.admit_user(sender.user, None)
        at, number = await self._sessions.now(), idempotency_key(sender, key)
        after = await self._sheets.plan(sender.match, sender.user, turn, at, number, version)
        return await done(self._narrator, sender, key, number, after)

    async def unplan(self, sender: Sender, message: Json) -> Json:
        """Answers `unplan`: the conditional moves are deleted."""
        key = bodies.key(message)
        self._readers.limits.admit_user(sender.user, None)
        await self._sheets.unplan(sender.match, sender.user)
        return {"is": "done", "id": key}

    async def publish(self, sender: Sender, message: Json) -> Json:
        """Answers `publish`: the other players see the sheet of a finished match, or no longer."""
        key, published = bodies.key(message), bodies.flag(message, "on")
        self._readers.limits.admit_user(sender.user, None)
        await self._sheets.publish(sender.match, sender.user, published=published)
        self._show_again(sender.match)
        return {"is": "done", "id": key}

    async def _scene(self, sender: Sender, message: Json) -> tuple[int, Match, Desk]:
        """Returns a message's number, the match at the place that it names, and the sheet. Raises Refused."""
        number, after = bodies.number(message, "id"), bodies.number(message, "after")
        turn, seat = bodies.optional_number(message, "turn"), bodies.optional_number(message, "of")
        self._readers.limits.admit_look(sender.user)
        if seat is None:
            desk = await self._sheets.load(sender.match, sender.user)
        else:
            desk = await self._sheets.load_published(sender.match, sender.user, Seat(seat))
        look = partial(asyncio.to_thread, match_at, desk.sheet, desk.match, after=after, turn=turn)
        match = await self._shares.run(sender.user, look)
        return number, match, desk


def _turn(turn: TriedTurn) -> Json:
    return {"id": turn.id, "parent": turn.parent, "after": turn.after, "seat": turn.seat} | {
        "text": turn.text,
        "note": turn.note,
    }


def _shared(match: Match, sheet: Sheet, names: tuple[str, ...]) -> Json:
    seat = match.seat_of(sheet.user)
    return {"seat": seat, "name": names[seat], "turns": [_turn(turn) for turn in sheet.turns]}
