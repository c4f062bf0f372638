"""Studies: who is let in, and strokes of several people at once, of which none is lost and none is made twice."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from play.boards.own_board import OwnBoard, play_steps
from play.boards.study import EVERY_MEMBER, MAX_CHAPTERS, MAX_MEMBERS, MAX_STUDIES, Role
from play.ids import ChapterId, GuildId, IdempotencyKey, RoleId, UserId
from play.people.membership import Membership
from play.refusal import Reason, Refused
from storage import Database
from storage.privacy import NOBODY
from tests.matches import ANNA, BORIS, CLARA, GUILD
from tests.play.boards.test_own_board import a_board, laid
from use_cases.events import Events
from use_cases.own_boards import Change
from use_cases.studies import Studies

COACHES = RoleId(70)
ELSEWHERE = GuildId(GUILD + 1)

_keys = count(1)


def lay(text: str) -> Change:
    return lambda board: board.lay(text, None, play_steps(board.game, ()))[0]


def a_key() -> IdempotencyKey:
    return IdempotencyKey(next(_keys))


class Desk:
    """A study of Anna's, at which several people sit."""

    def __init__(self, store: Database) -> None:
        self.events = Events()
        self.members: dict[tuple[GuildId, UserId], Membership] = {}
        self.studies = Studies(store, self.events, self.membership)
        self.code = ""
        self.chapter = ChapterId(0)

    async def membership(self, guild: GuildId, user: UserId) -> Membership | None:
        return self.members.get((guild, user))

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
    other = Studies(store, Events(), desk.membership)
    await asyncio.gather(desk.draw(ANNA, "A1"), other.draw(desk.code, desk.chapter, ANNA, a_key(), lay("B1")))
    assert sorted(await desk.texts()) == ["A1", "B1"]


class Club:
    """A study of a server that Anna hosts; Boris is a member there with a role, Clara one of another server."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        desk.members = {
            (GUILD, ANNA): Membership(hosts=True),
            (GUILD, BORIS): Membership(roles=frozenset({COACHES})),
            (ELSEWHERE, CLARA): Membership(hosts=True),
        }

    async def begin(self) -> Club:
        self.desk.code = await self.desk.studies.begin(ANNA, "Club", a_board(), GUILD)
        self.desk.chapter = (await self.desk.studies.open(self.desk.code, ANNA)).chapters[0].id
        return self

    async def role_of(self, user: UserId) -> Role:
        return (await self.desk.studies.open(self.desk.code, user)).role

    def part(self, user: UserId) -> None:
        """Takes a member out of the server."""
        del self.desk.members[GUILD, user]


@pytest.fixture
async def club(desk: Desk) -> Club:
    return await Club(desk).begin()


async def test_members_read_a_study_of_their_server(club: Club) -> None:
    assert (await club.role_of(ANNA), await club.role_of(BORIS)) == (Role.OWNER, Role.READER)
    with pytest.raises(Refused, match="only_reading_here"):
        await club.desk.draw(BORIS, "A1")


@pytest.mark.parametrize("role", [COACHES, EVERY_MEMBER])
async def test_those_with_the_named_role_draw_in_a_study_of_their_server(club: Club, role: RoleId) -> None:
    await club.desk.studies.open_to(club.desk.code, ANNA, role)
    await club.desk.draw(BORIS, "A1")
    assert await club.desk.texts() == ["A1"]


async def test_a_host_of_another_server_sees_nothing_of_a_study_of_this_one(club: Club) -> None:
    for attempt in (
        club.desk.studies.open(club.desk.code, CLARA),
        club.desk.studies.load(club.desk.code, club.desk.chapter, CLARA),
        club.desk.draw(CLARA, "A1"),
        club.desk.studies.delete(club.desk.code, CLARA),
    ):
        with pytest.raises(Refused, match="no_study"):
            await attempt
    assert not (await club.desk.studies.of_servers(CLARA, [GUILD]))


async def test_a_member_who_is_gone_is_let_in_no_more(club: Club) -> None:
    await club.desk.studies.open_to(club.desk.code, ANNA, COACHES)
    club.part(BORIS)
    for attempt in (club.desk.studies.open(club.desk.code, BORIS), club.desk.draw(BORIS, "A1")):
        with pytest.raises(Refused, match="no_study"):
            await attempt


async def test_while_the_chat_is_away_a_list_has_the_other_studies(club: Club, store: Database) -> None:
    async def away(guild: GuildId, user: UserId) -> Membership | None:
        raise Refused(Reason.CHAT_AWAY)

    assert not await Studies(store, Events(), away).of_servers(ANNA, [GUILD])


async def test_a_study_of_a_server_goes_on_when_its_maker_leaves(club: Club) -> None:
    club.part(ANNA)
    club.desk.members[GUILD, BORIS] = Membership(hosts=True)
    with pytest.raises(Refused, match="no_study"):
        await club.desk.studies.open(club.desk.code, ANNA)
    await club.desk.studies.rename(club.desk.code, BORIS, "Ours")
    (server,) = await club.desk.studies.of_servers(BORIS, [GUILD])
    assert [each.name for each in server.studies] == ["Ours"]


async def test_one_who_may_not_write_on_the_server_draws_nothing(club: Club) -> None:
    await club.desk.studies.open_to(club.desk.code, ANNA, EVERY_MEMBER)
    club.desk.members[GUILD, BORIS] = Membership(held_back=Reason.TIMED_OUT)
    with pytest.raises(Refused, match="timed_out"):
        await club.desk.draw(BORIS, "A1")


async def test_only_hosts_begin_and_manage_studies_of_a_server(club: Club) -> None:
    studies, code = club.desk.studies, club.desk.code
    await studies.open_to(code, ANNA, COACHES)
    for attempt in (
        studies.begin(BORIS, "Mine", a_board(), GUILD),
        studies.begin(CLARA, "Mine", a_board(), GUILD),
        studies.open_to(code, BORIS, EVERY_MEMBER),
        studies.publish(code, BORIS, public=True, listed=True),
        studies.delete_chapter(code, BORIS, club.desk.chapter),
        studies.delete(code, BORIS),
    ):
        with pytest.raises(Refused, match="not_server_host"):
            await attempt


async def test_a_study_of_a_server_has_no_link(club: Club) -> None:
    with pytest.raises(Refused, match="bad_message"):
        await club.desk.studies.share(club.desk.code, ANNA, Role.DRAWER)


async def test_a_server_owns_a_bounded_number(club: Club) -> None:
    for _ in range(MAX_STUDIES - 1):
        await club.desk.studies.begin(ANNA, "More", a_board(), GUILD)
    with pytest.raises(Refused, match="too_many_studies"):
        await club.desk.studies.begin(ANNA, "More", a_board(), GUILD)
    await club.desk.studies.begin(ANNA, "Mine", a_board())


async def test_nobody_else_reads_studies_of_a_server_that_the_bot_has_left(club: Club, store: Database) -> None:
    await club.desk.studies.publish(club.desk.code, ANNA, public=True, listed=True)
    async with store.write() as tx:
        await tx.studies.close(GUILD)
    with pytest.raises(Refused, match="no_study"):
        await club.desk.studies.open(club.desk.code, None)


async def test_a_deleted_user_leaves_the_studies_of_a_server_there(club: Club, store: Database) -> None:
    async with store.write() as tx:
        await tx.privacy.forget(ANNA)
    club.desk.members[GUILD, BORIS] = Membership(hosts=True)
    assert (await club.desk.studies.open(club.desk.code, BORIS)).study.user == NOBODY


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
