"""Lists for users and for the clock: open matches and deadlines."""

from __future__ import annotations

from play.clock import Speed
from play.ids import ChannelId, MatchId, MessageId, Millis, UserId
from play.match.listed import OpenMatch
from play.match.outbox_entry import OutboxEntry
from rules.game import Seat
from storage import Database
from tests.clock import HOUR, MINUTE, NOON
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD, a_match, add_match, play_turn, resign, save_match


async def open_matches(store: Database, user: UserId = ANNA) -> list[OpenMatch]:
    async with store.read() as reader:
        return await reader.matches.open_of(user)


async def overdue(store: Database, before: int, limit: int = 100) -> list[MatchId]:
    async with store.read() as reader:
        return await reader.deadlines.overdue(Millis(before), limit)


async def next_deadline(store: Database) -> Millis | None:
    async with store.read() as reader:
        return await reader.deadlines.next_deadline()


async def test_an_entry_says_what_a_list_of_matches_shows(store: Database) -> None:
    match = await save_match(store, play_turn(await add_match(store)))
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), MessageId(9))
    assert await open_matches(store) == [
        OpenMatch(
            id=match.id,
            guild=GUILD,
            channel=ChannelId(1),
            board=MessageId(9),
            game=GAME,
            players=(ANNA, BORIS),
            to_act=Seat(1),
            deadline=Millis(NOON + MINUTE + HOUR),
            speed=Speed.DAYS,
            version=1,
            parent=match.parent,
        )
    ]


async def test_a_list_begins_with_ones_own_turns_the_most_urgent_first(store: Database) -> None:
    calm_wait = await save_match(store, play_turn(await add_match(store, a_match(1, control="3d"))))
    calm_turn = await add_match(store, a_match(2, control="2d"))
    urgent_wait = await add_match(store, a_match(3, players=(BORIS, ANNA), control="10m"))
    urgent_turn = await add_match(store, a_match(4, control="1h"))
    listed = [entry.id for entry in await open_matches(store)]
    assert listed == [urgent_turn.id, calm_turn.id, urgent_wait.id, calm_wait.id]


async def test_a_list_has_no_match_that_is_over(store: Database) -> None:
    await save_match(store, resign(await add_match(store)))
    assert await open_matches(store) == []


async def test_a_list_has_no_match_of_other_people(store: Database) -> None:
    await add_match(store)
    assert await open_matches(store, CLARA) == []


async def test_without_open_matches_there_is_no_deadline(store: Database) -> None:
    await save_match(store, resign(await add_match(store)))
    assert await next_deadline(store) is None


async def test_the_next_deadline_is_the_earliest_of_the_open_matches(store: Database) -> None:
    await save_match(store, resign(await add_match(store, a_match(1, control="1m"))))
    await add_match(store, a_match(2, control="2h"))
    await add_match(store, a_match(3, control="1h"))
    assert await next_deadline(store) == NOON + HOUR


async def test_a_move_puts_the_deadline_off(store: Database) -> None:
    await save_match(store, play_turn(await add_match(store, a_match(control="1h"))))
    assert await next_deadline(store) == NOON + MINUTE + HOUR


async def test_the_overdue_come_earliest_first(store: Database) -> None:
    second = await add_match(store, a_match(1, control="2h"))
    first = await add_match(store, a_match(2, control="1h"))
    await add_match(store, a_match(3, control="3h"))
    assert await overdue(store, NOON + 3 * HOUR) == [first.id, second.id]


async def test_a_deadline_is_not_overdue_at_its_own_moment(store: Database) -> None:
    await add_match(store, a_match(control="1h"))
    assert await overdue(store, NOON + HOUR) == []


async def test_no_more_of_the_overdue_come_than_were_asked_for(store: Database) -> None:
    urgent = [await add_match(store, a_match(channel, control=f"{channel}m")) for channel in (1, 2, 3)]
    assert await overdue(store, NOON + HOUR, limit=2) == [urgent[0].id, urgent[1].id]


async def test_what_is_over_is_never_overdue(store: Database) -> None:
    await save_match(store, resign(await add_match(store, a_match(control="1m"))))
    assert await overdue(store, NOON + HOUR) == []
