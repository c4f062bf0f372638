"""A match is stored and comes back."""

from __future__ import annotations

import pytest

from play.clock import parse_control
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis
from play.match import moves
from play.match.length import MIN_PLAYED, usual_move_time
from play.match.listed import EndedMatch
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from rules.game import Outcome, Seat
from storage import Database
from storage.errors import ChannelTaken, Stale
from tests.clock import DAY, MINUTE, NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, add_match, load_match, play_turn, resign, save_match


def told(match: Match) -> tuple[object, ...]:
    """Returns all that a match is, its position as its picture (positions are not compared)."""
    position = match.position.picture(), match.position.score
    settled = match.guild, match.channel, match.parent, match.game, match.seed, match.players, match.started
    return match.id, settled, match.clock, match.events, match.outcome, match.to_act, position


async def here(store: Database, channel: int) -> Match | None:
    async with store.read() as reader:
        return await reader.matches.in_channel(ChannelId(channel))


async def test_a_match_comes_back_as_it_began(store: Database) -> None:
    match = await add_match(store)
    assert told(await load_match(store, match.id)) == told(match)


async def test_a_match_outside_a_server_and_a_thread_comes_back(store: Database) -> None:
    async with store.write() as tx:
        plain = a_match()
        private = Match.begin(
            MatchId(0), guild=None, channel=ChannelId(1), parent=None, game=plain.game, seed=-(2**63),
            players=plain.players, control=plain.clock.control, at=NOON,
        )  # fmt: skip
        match = await tx.matches.add(private)
    assert told(await load_match(store, match.id)) == told(match)


@pytest.mark.parametrize("control", ["3d", "10m+30s", "90s", "1h+0d"])
async def test_every_time_control_comes_back(store: Database, control: str) -> None:
    match = await add_match(store, a_match(control=control))
    match = await save_match(store, play_turn(match))
    assert (await load_match(store, match.id)).clock == match.clock


async def test_a_match_comes_back_after_every_move_of_a_whole_game(store: Database) -> None:
    match = await add_match(store)
    while not match.outcome:
        match = await save_match(store, play_turn(match))
        assert told(await load_match(store, match.id)) == told(match)
    assert match.outcome.reason == "full"


async def test_a_match_keeps_the_language_that_was_settled_first(store: Database) -> None:
    match = await add_match(store)
    async with store.write() as tx:
        assert await tx.matches.language(match.id) is None
        for language in ("pl", "uk"):
            await tx.matches.settle_language(match.id, language)
    async with store.read() as reader:
        assert await reader.matches.language(match.id) == "pl"


async def test_a_resigned_match_comes_back_over(store: Database) -> None:
    match = await save_match(store, resign(await add_match(store), BORIS))
    assert (await load_match(store, match.id)).outcome == Outcome((Seat(0),), "resign")


async def test_two_matches_that_ended_on_time_come_back_over(store: Database, clock: StoppedClock) -> None:
    for channel in (1, 2):
        match = await add_match(store, a_match(channel))
        match = await save_match(store, moves.flag(match, clock.advance(DAY)))
        assert told(await load_match(store, match.id)) == told(match)


async def test_how_long_a_move_takes_is_known_of_the_last_games_of_a_server_with_that_clock(store: Database) -> None:
    control = parse_control("1h")
    games = [("1h", 100)] * (MIN_PLAYED - 1) + [("2h", 100), ("1h", 5)]
    for channel, (clock, moves_made) in enumerate(games, start=1):
        await play_until(store, a_match(channel, control=clock), moves_made)
    async with store.read() as reader:
        assert await reader.matches.move_time(GUILD, control) == usual_move_time(control)
    await play_until(store, a_match(99), 100)
    async with store.read() as reader:
        assert await reader.matches.move_time(GUILD, control) == MINUTE
        assert await reader.matches.move_time(GuildId(8), control) == usual_move_time(control)


async def play_until(store: Database, match: Match, moves_made: int) -> None:
    """Plays a match to its end, or to a resignation after so many moves."""
    match = await add_match(store, match)
    while not match.outcome:
        match = await save_match(store, resign(match) if match.version == moves_made else play_turn(match))


async def test_a_match_can_be_seen_as_it_was_at_every_earlier_version(store: Database) -> None:
    match = await add_match(store)
    versions = [match]
    for _ in range(5):
        versions.append(await save_match(store, play_turn(versions[-1])))
    for earlier in versions:
        assert told(await load_match(store, match.id, earlier.version)) == told(earlier)


async def test_a_version_to_come_is_not_there(store: Database) -> None:
    match = await add_match(store)
    async with store.read() as reader:
        assert await reader.matches.get(match.id, 1) is None


async def test_an_unknown_match_is_not_there(store: Database) -> None:
    async with store.read() as reader:
        assert await reader.matches.get(MatchId(1)) is None


async def test_of_two_moves_at_one_version_the_second_is_stale(store: Database) -> None:
    match = await add_match(store)
    first, second = play_turn(match, "A1", source=1), play_turn(match, "E5", source=2)
    await save_match(store, first)
    with pytest.raises(Stale):
        await save_match(store, second)
    assert (await load_match(store, match.id)).events == first.events


async def test_a_match_that_skips_a_version_is_stale(store: Database) -> None:
    match = await add_match(store)
    with pytest.raises(Stale):
        await save_match(store, play_turn(play_turn(match)))
    assert (await load_match(store, match.id)).version == 0


async def test_a_match_that_was_never_added_is_stale(store: Database) -> None:
    with pytest.raises(Stale):
        await save_match(store, play_turn(a_match()))


async def test_one_source_counts_once_even_in_two_matches(store: Database) -> None:
    one, other = await add_match(store, a_match(1)), await add_match(store, a_match(2))
    await save_match(store, play_turn(one, source=5))
    with pytest.raises(Stale):
        await save_match(store, play_turn(other, source=5))
    assert (await load_match(store, other.id)).version == 0


@pytest.mark.parametrize("source", [1, 2], ids=["same source", "same version"])
async def test_nothing_of_a_stale_move_is_written_though_its_transaction_goes_on(store: Database, source: int) -> None:
    match = await add_match(store)
    await save_match(store, play_turn(match, "A1", source=1))
    other = await add_match(store, a_match(2))
    late = play_turn(other if source == 1 else match, "E5", source=source)
    async with store.write() as tx:
        before = await tx.matches.open_of(ANNA)
        with pytest.raises(Stale):
            await tx.matches.save(late)
    async with store.read() as reader:
        assert await reader.matches.open_of(ANNA) == before
    assert ((await load_match(store, match.id)).version, (await load_match(store, other.id)).version) == (1, 0)


async def test_a_channel_has_room_for_one_open_match(store: Database) -> None:
    await add_match(store, a_match(1))
    with pytest.raises(ChannelTaken):
        await add_match(store, a_match(1, players=(CLARA, BORIS)))


async def test_a_match_that_is_over_frees_its_channel(store: Database) -> None:
    await save_match(store, resign(await add_match(store, a_match(1))))
    second = await add_match(store, a_match(1))
    assert told(await load_match(store, second.id)) == told(second)


async def test_a_channel_shows_its_open_match(store: Database) -> None:
    await save_match(store, resign(await add_match(store, a_match(1))))
    second = await add_match(store, a_match(1))
    await add_match(store, a_match(2))
    found = await here(store, 1)
    assert found is not None
    assert told(found) == told(second)


async def test_a_channel_without_an_open_match_shows_the_one_that_ended_there_last(store: Database) -> None:
    first = await save_match(store, resign(await add_match(store, a_match(1, at=NOON))))
    older = await add_match(store, a_match(2, at=Millis(NOON - DAY)))
    async with store.write() as tx:
        await tx.matches.move_out_of_thread(older.id, ChannelId(1))
    await save_match(store, resign(older))
    found = await here(store, 1)
    assert found is not None
    assert found.id == first.id


async def test_a_channel_without_matches_shows_nothing(store: Database) -> None:
    assert await here(store, 1) is None


async def test_a_relocated_match_goes_on_without_a_thread(store: Database) -> None:
    match = await add_match(store, a_match(1))
    async with store.write() as tx:
        await tx.matches.move_out_of_thread(match.id, ChannelId(2))
    await save_match(store, play_turn(match))
    found = await load_match(store, match.id)
    assert (found.channel, found.parent, found.version) == (2, None, 1)
    assert await here(store, 1) is None


async def test_no_board_of_a_relocated_match_is_in_its_new_channel(store: Database) -> None:
    match = await add_match(store, a_match(1))
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), MessageId(77))
        await tx.matches.move_out_of_thread(match.id, ChannelId(2))
        [listed] = await tx.matches.open_of(match.players[0])
    assert (listed.channel, listed.board) == (2, None)


async def test_a_match_is_not_relocated_to_where_another_is_played(store: Database) -> None:
    match = await add_match(store, a_match(1))
    await add_match(store, a_match(2))
    with pytest.raises(ChannelTaken):
        async with store.write() as tx:
            await tx.matches.move_out_of_thread(match.id, ChannelId(2))
    assert (await load_match(store, match.id)).channel == 1


async def test_matches_that_have_begun_and_that_go_on_are_counted(store: Database) -> None:
    async with store.read() as reader:
        assert (await reader.matches.count_begun(), await reader.matches.count_open()) == (0, 0)
    await add_match(store)
    await save_match(store, resign(await add_match(store, a_match(channel=7))))
    async with store.read() as reader:
        assert (await reader.matches.count_begun(), await reader.matches.count_open()) == (2, 1)


async def test_several_matches_are_read_at_once(store: Database) -> None:
    first, second = await add_match(store), await add_match(store, a_match(channel=7))
    second = await save_match(store, resign(second))
    async with store.read() as reader:
        found = await reader.matches.of_ids([first.id, second.id, MatchId(99)])
        assert found == {each: await reader.matches.get(each) for each in (first.id, second.id)}
        assert await reader.matches.of_ids([]) == {}


async def test_only_a_match_that_is_over_is_found_without_its_history(store: Database) -> None:
    match = await add_match(store)
    async with store.read() as reader:
        assert await reader.matches.ended(match.id) is None
    over = await save_match(store, resign(match))
    async with store.read() as reader:
        found = await reader.matches.ended(match.id)
    assert found == EndedMatch(over.id, over.guild, over.channel, over.players, over.version)
