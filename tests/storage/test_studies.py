"""Studies: who is let in, and strokes of several people at once, of which none is lost and none is made twice."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from play.boards.own_board import OwnBoard, play_steps
from play.boards.study import MAX_CHAPTERS, MAX_MEMBERS, MAX_STUDIES, Role
from play.ids import ChapterId, IdempotencyKey, UserId
from play.refusal import Refused
from storage import Database
from tests.matches import ANNA, BORIS, CLARA
from tests.play.boards.test_own_board import a_board, laid
from use_cases.events import Events
from use_cases.own_boards import Change
from use_cases.studies import Studies

_keys = count(1)


def lay(text: str) -> Change:
    return lambda board: board.lay(text, None, play_steps(board.game, ()))[0]


def a_key() -> IdempotencyKey:
    return IdempotencyKey(next(_keys))


class Desk:
    """A study of Anna's, at which several people sit."""

    def __init__(self, store: Database) -> None:
        self.events = Events()
        self.studies = Studies(store, self.events)
        self.code = ""
        self.chapter = ChapterId(0)

    async def begin(self) -> Desk:
        self.code = await self.studies.begin(ANNA, "Cuts", a_board())
        self.chapter = (await self.studies.open(self.code, ANNA)).chapters[0].id
        return self

    async def link(self, role: Role = Role.DRAWER) -> str:
        await self.studies.share(self.code, ANNA, role)
        link = (await self.studies.open(self.code, ANNA)).study.link
        assert link is not None
        return link

    async def let_in(self, user: UserId, role: Role = Role.DRAWER) -> None:
        await self.studies.join(self.code, await self.link(role), user)

    async def draw(self, user: UserId, text: str, key: IdempotencyKey | None = None) -> OwnBoard:
        return await self.studies.draw(self.code, self.chapter, user, key or a_key(), lay(text))

    async def texts(self) -> list[str]:
        board = await self.studies.load(self.code, self.chapter, ANNA)
        return [turn.text for turn in board.turns]


@pytest.fixture
async def desk(store: Database) -> Desk:
    return await Desk(store).begin()


async def test_a_study_begins_with_a_copy_of_a_board(desk: Desk, store: Database) -> None:
    board = laid(a_board(), "A1", "A2", "B3").remove(2)
    code = await desk.studies.begin(ANNA, "Copies", board)
    (chapter,) = (await desk.studies.open(code, ANNA)).chapters
    copied = await desk.studies.load(code, chapter.id, ANNA)
    assert [(turn.id, turn.parent, turn.text) for turn in copied.turns] == [(1, None, "A1")]


async def test_a_study_is_its_owners_alone_at_first(desk: Desk) -> None:
    for user in (BORIS, None):
        with pytest.raises(Refused, match="no_study"):
            await desk.studies.open(desk.code, user)
    with pytest.raises(Refused, match="no_study"):
        await desk.draw(BORIS, "A1")


async def test_a_link_lets_in_as_it_says(desk: Desk) -> None:
    await desk.let_in(BORIS, Role.READER)
    with pytest.raises(Refused, match="only_reading"):
        await desk.draw(BORIS, "A1")
    await desk.studies.lend(desk.code, ANNA, BORIS, Role.DRAWER)
    await desk.draw(BORIS, "A1")
    assert await desk.texts() == ["A1"]


async def test_what_a_link_has_shared_ends_with_it(desk: Desk) -> None:
    link = await desk.link()
    await desk.studies.join(desk.code, link, BORIS)
    await desk.studies.end_sharing(desk.code, ANNA)
    with pytest.raises(Refused, match="no_study"):
        await desk.draw(BORIS, "A1")
    with pytest.raises(Refused, match="study_link_over"):
        await desk.studies.join(desk.code, link, BORIS)


async def test_a_public_study_is_read_without_a_name_until_it_is_public_no_more(desk: Desk) -> None:
    await desk.studies.publish(desk.code, ANNA, public=True, listed=False)
    assert (await desk.studies.open(desk.code, None)).role is Role.READER
    await desk.studies.publish(desk.code, ANNA, public=False, listed=True)
    with pytest.raises(Refused, match="no_study"):
        await desk.studies.open(desk.code, None)


async def test_only_the_owner_shares_and_deletes(desk: Desk) -> None:
    await desk.let_in(BORIS)
    studies, code = desk.studies, desk.code
    for attempt in (
        studies.share(code, BORIS, Role.READER),
        studies.end_sharing(code, BORIS),
        studies.publish(code, BORIS, public=True, listed=True),
        studies.rename(code, BORIS, "Mine"),
        studies.lend(code, BORIS, BORIS, Role.READER),
        studies.delete_chapter(code, BORIS, desk.chapter),
        studies.delete(code, BORIS),
    ):
        with pytest.raises(Refused, match="not_your_study"):
            await attempt


async def test_members_are_told_to_the_owner_alone(desk: Desk) -> None:
    await desk.let_in(BORIS)
    assert [member.user for member in (await desk.studies.open(desk.code, ANNA)).members] == [BORIS]
    assert not (await desk.studies.open(desk.code, BORIS)).members


async def test_strokes_at_once_are_all_on_the_board(desk: Desk) -> None:
    await desk.let_in(BORIS)
    texts = [f"{column}{row}" for column in "ABCD" for row in range(1, 6)]
    await asyncio.gather(*(desk.draw((ANNA, BORIS)[n % 2], text) for n, text in enumerate(texts)))
    assert sorted(await desk.texts()) == sorted(texts)


async def test_a_stroke_that_is_sent_again_is_made_once(desk: Desk) -> None:
    key = a_key()
    await desk.draw(ANNA, "A1", key)
    await desk.studies.draw(desk.code, desk.chapter, ANNA, a_key(), lambda board: board.remove(1))
    await desk.draw(ANNA, "A1", key)
    assert await desk.texts() == []


async def test_all_hear_of_each_stroke_in_its_order(desk: Desk) -> None:
    heard = list[tuple[int, UserId]]()
    desk.events.chapter_changed.subscribe(lambda _, board, user: heard.append((board.version, user)))
    await desk.let_in(BORIS)
    await desk.draw(ANNA, "A1")
    await desk.draw(BORIS, "B1")
    assert heard == [(2, ANNA), (3, BORIS)]


async def test_strokes_of_two_processes_are_all_on_the_board(desk: Desk, store: Database) -> None:
    other = Studies(store, Events())
    await asyncio.gather(desk.draw(ANNA, "A1"), other.draw(desk.code, desk.chapter, ANNA, a_key(), lay("B1")))
    assert sorted(await desk.texts()) == ["A1", "B1"]


async def test_the_last_chapter_stays(desk: Desk) -> None:
    added = await desk.studies.add_chapter(desk.code, ANNA, a_board())
    await desk.studies.delete_chapter(desk.code, ANNA, desk.chapter)
    with pytest.raises(Refused, match="last_chapter"):
        await desk.studies.delete_chapter(desk.code, ANNA, added)


async def test_a_deleted_study_is_gone(desk: Desk) -> None:
    await desk.studies.delete(desk.code, ANNA)
    with pytest.raises(Refused, match="no_study"):
        await desk.studies.open(desk.code, ANNA)
    assert not await desk.studies.list(ANNA)


async def test_those_who_leave_are_out(desk: Desk) -> None:
    await desk.let_in(BORIS)
    await desk.studies.leave(desk.code, BORIS)
    assert not await desk.studies.list(BORIS)


async def test_a_player_owns_a_bounded_number(desk: Desk) -> None:
    for _ in range(MAX_STUDIES - 1):
        await desk.studies.begin(ANNA, "More", a_board())
    with pytest.raises(Refused, match="too_many_studies"):
        await desk.studies.begin(ANNA, "More", a_board())


async def test_a_study_has_a_bounded_number_of_chapters(desk: Desk) -> None:
    for _ in range(MAX_CHAPTERS - 1):
        await desk.studies.add_chapter(desk.code, ANNA, a_board())
    with pytest.raises(Refused, match="too_many_chapters"):
        await desk.studies.add_chapter(desk.code, ANNA, a_board())


async def test_a_study_has_a_bounded_number_of_members(desk: Desk) -> None:
    link = await desk.link()
    for number in range(MAX_MEMBERS):
        await desk.studies.join(desk.code, link, UserId(5000 + number))
    with pytest.raises(Refused, match="study_full"):
        await desk.studies.join(desk.code, link, CLARA)
