"""The use cases of analysis sheets: to try turns in private, and to plan or publish what was found."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from play.ids import IdempotencyKey, MatchId, Millis, UserId
from play.match.conditional_moves import ConditionalLine
from play.match.match import Match
from play.match.sheet import MAX_SHEETS, Branch, Sheet, branch_to, try_turn
from play.match.turn_tree import TriedTurn
from play.refusal import Reason, Refused
from rules.game import Seat
from storage import Database
from use_cases.match_actions import MatchActions
from use_cases.match_writer import load_match, retry_on_conflict, undone_by
from use_cases.matches import Matches

Change = Callable[[Sheet, Match], Sheet]


class Desk(NamedTuple):
    """What a player sees on their sheet: it, the `plan` of their conditional moves, and what others have published."""

    match: Match
    sheet: Sheet
    plan: ConditionalLine | None
    others: tuple[Sheet, ...]

    def planned(self) -> frozenset[int]:
        """Returns the ids of the turns that the plan goes through."""
        found, parent = set[int](), self._here()
        for text in (text for reply in (self.plan.replies if self.plan else ()) for text in reply):
            steps = [turn for turn in self.sheet.turns if turn.text == text and self._comes_after(turn, parent)]
            found.update(turn.id for turn in steps)
            parent = frozenset(turn.id for turn in steps)
        return frozenset(found)

    def _here(self) -> frozenset[int]:
        """Returns the turns of the sheet that lead to the current position."""
        moves = [move.text for move in self.match.moves]
        reached: dict[int, int] = {}
        for turn in self.sheet.turns:
            before = turn.after if turn.parent is None else reached.get(turn.parent)
            if before is not None and before < len(moves) and moves[before] == turn.text:
                reached[turn.id] = before + 1
        return frozenset(number for number, depth in reached.items() if depth == len(moves))

    def _comes_after(self, turn: TriedTurn, parents: frozenset[int]) -> bool:
        return turn.parent in parents or (turn.parent is None and turn.after == len(self.match.moves))


class Sheets:
    """What players do on their sheets. Each belongs to one player and one match. All methods raise Refused."""

    def __init__(self, store: Database, matches: Matches, actions: MatchActions) -> None:
        self._store = store
        self._matches = matches
        self._actions = actions

    async def load(self, match: MatchId, user: UserId) -> Desk:
        """Returns what a player sees on their sheet of a match."""
        async with self._store.read() as reader:
            stored = await load_match(reader, match)
            seat = stored.seat_of(user)
            sheet = await reader.sheets.get(match, user) or Sheet(match, user)
            plan = None if stored.outcome else await reader.plans.get(match, seat)
            published = await reader.sheets.published(match) if stored.outcome else []
        return Desk(stored, sheet, plan, tuple(other for other in published if other.user != user))

    async def load_published(self, match: MatchId, user: UserId, seat: Seat) -> Desk:
        """Returns what a player sees with the published sheet of another in place of their own.

        Raises Refused (`sheet_not_published`).
        """
        desk = await self.load(match, user)
        for other in desk.others:
            if desk.match.seat_of(other.user) == seat:
                return desk._replace(sheet=other)
        raise Refused(Reason.SHEET_NOT_PUBLISHED)

    async def list_versions(self, match: MatchId) -> dict[UserId, int]:
        """Returns the versions of the published sheets of a match that is over, by their users."""
        async with self._store.read() as reader:
            return await reader.sheets.published_versions(match)

    async def list_published(self, match: Match) -> dict[Seat, Sheet]:
        """Returns the published sheets of a match that is over, by their seats."""
        async with self._store.read() as reader:
            found = await reader.sheets.published(match.id) if match.outcome else []
        return {match.seat_of(sheet.user): sheet for sheet in found}

    async def lay(self, match: MatchId, user: UserId, text: str, *, after: int, parent: int | None) -> TriedTurn:
        """Puts a turn on a player's sheet, as `play.match.sheet.try_turn` does, and returns it."""

        async def attempt() -> TriedTurn:
            stored, sheet = await self._read(match, user)
            changed, turn = await asyncio.to_thread(try_turn, sheet, stored, text, after=after, parent=parent)
            await self._save(sheet, changed)
            return turn

        return await retry_on_conflict(attempt)

    async def annotate(self, match: MatchId, user: UserId, turn: int, note: str) -> None:
        """Writes a note at a turn of a player's sheet."""
        await self._change(match, user, lambda sheet, _: sheet.annotate(turn, note))

    @undone_by("restore")
    async def remove(self, match: MatchId, user: UserId, turn: int) -> None:
        """Removes a turn of a player's sheet and what follows it."""
        await self._change(match, user, lambda sheet, _: sheet.remove(turn))

    async def restore(self, match: MatchId, user: UserId, turn: int) -> None:
        """Brings back the turn that a player removed last."""
        await self._change(match, user, lambda sheet, _: sheet.restore(turn))

    async def publish(self, match: MatchId, user: UserId, *, published: bool) -> None:
        """Shows a player's sheet of a finished match to the other players, or hides it again.

        Raises Refused (`sheet_while_running`, `sheet_taken_off`).
        """

        def change(sheet: Sheet, stored: Match) -> Sheet:
            if stored.outcome is None:
                raise Refused(Reason.SHEET_WHILE_RUNNING)
            return sheet.publish(published=published)

        await self._change(match, user, change)

    async def plan(
        self, match: MatchId, user: UserId, turn: int, at: Millis, key: IdempotencyKey, version: int
    ) -> Match:
        """Makes the branch that ends with a turn the player's conditional moves, and returns the match.

        If it begins with their own next turn, that is played first, at this `version` of the match only. Nothing is
        planned if the opponent has answered at once.
        """
        desk = await self.load(match, user)
        before, own = desk.match, any(event.key == key for event in desk.match.events)
        branch = await asyncio.to_thread(_branch, desk, turn, missing=own)
        if branch is not None and branch.own is not None and not own:
            before = await self._matches.move(match, user, branch.own, at, key, version=version)
            branch = await asyncio.to_thread(_branch, desk._replace(match=before), turn, missing=True)
        if branch is not None and branch.own is None:
            await self._actions.set_plan(match, user, branch.line)
        return before

    @undone_by("plan")
    async def unplan(self, match: MatchId, user: UserId) -> None:
        """Deletes a player's conditional moves."""
        await self._actions.clear_plan(match, user)

    async def _change(self, match: MatchId, user: UserId, change: Change) -> None:
        """Stores what `change` makes of a player's sheet."""

        async def attempt() -> None:
            stored, sheet = await self._read(match, user)
            await self._save(sheet, change(sheet, stored))

        await retry_on_conflict(attempt)

    async def _read(self, match: MatchId, user: UserId) -> tuple[Match, Sheet]:
        """Returns a match and its player's sheet."""
        async with self._store.read() as reader:
            stored = await load_match(reader, match)
            stored.seat_of(user)
            return stored, await reader.sheets.get(match, user) or Sheet(match, user)

    async def _save(self, sheet: Sheet, changed: Sheet) -> None:
        """Stores the next version of a sheet, if it has changed. Raises Stale if there is another one already."""
        if changed != sheet:
            async with self._store.write() as tx:
                (await load_match(tx, sheet.match)).seat_of(sheet.user)  # who may have deleted their data meanwhile
                newer = replace(changed, version=sheet.version + 1)
                await tx.sheets.save(newer, await tx.clock.now(), MAX_SHEETS)


def _branch(desk: Desk, turn: int, *, missing: bool) -> Branch | None:
    """Returns the branch that ends with a turn. Where it is `missing` since the game has left it, that is None."""
    try:
        return branch_to(desk.sheet, desk.match, desk.sheet.user, turn)
    except Refused as refused:
        if missing and refused.key == Reason.BRANCH_LEFT:
            return None
        raise
