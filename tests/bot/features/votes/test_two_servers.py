"""Two servers that vote in one game: each sees its own votes, and nothing of the other's."""

from __future__ import annotations

from functools import partial

import pytest

from loopback import Channel, Message, Person
from play.competitions.contest import Side
from play.ids import MatchId
from tests.bot.features.competitions.contests.test_contests import Fair
from tests.bot.room import Room, private_message, private_words
from tests.bot.vote_games import count_votes
from tests.clock import DAY, HOUR


@pytest.fixture
async def fair(room: Room) -> Fair:
    """Two servers whose accounts are old enough to vote."""
    fair = Fair(room)
    await room.pass_time(8 * DAY)
    return fair


def board_in(fair: Fair, channel: Channel | int) -> Message:
    return fair.boards(channel)[-1]


def has_one_vote(fair: Fair, channel: Channel | int) -> bool:
    """Returns whether the newest board of a channel tells of a vote."""
    return "1 " in board_in(fair, channel).content.split("-# ")[-1]


async def test_votes_stay_on_the_server_where_they_are_cast(fair: Fair) -> None:
    room = fair.room
    contest = await fair.accept(vote="1h")
    contest = await fair.contest(lambda now: bool(now.boards and now.boards[0].match))
    match = await room.use_cases.matches.load(MatchId(contest.boards[0].match or 0))
    assert match.away is not None
    places = {match.guild: match.channel, match.away.guild: match.away.channel}
    sides = {side.seat: side for side in await room.use_cases.votes.sides_of(match.id)}
    turns: list[tuple[int, Person]] = [(room.discord.guild.id, fair.ola), (fair.zagroda.id, fair.jadwiga)]
    assert match.to_act is not None
    if sides[match.to_act].guild != room.discord.guild.id:
        turns.reverse()
    for number, ((guild, voter), (other, stranger)) in enumerate((turns, turns[::-1])):
        own, elsewhere = (next(place for of, place in places.items() if of == each) for each in (guild, other))
        await room.wait_for_board(room.discord.channel(own), number)
        refused = await private_words(stranger.command(elsewhere, "move", point="a1"))
        assert "Your vote" not in refused
        assert "Twój głos" not in refused
        told = await private_words(voter.command(own, "move", point=("a1", "e5")[number]))
        assert f": **{('A1', 'E5')[number]}**" in told
        if number == 0:  # the next edit comes a minute later
            await fair.until(partial(has_one_vote, fair, own))
        assert "so far" not in board_in(fair, elsewhere).content
        assert "Na razie" not in board_in(fair, elsewhere).content
        assert not {"Votes", "Głosy"} & {*board_in(fair, elsewhere).labels}
        await count_votes(room, 2 * HOUR)
        played = await room.wait_for_board(room.discord.channel(elsewhere), number + 1)
        assert "1 vote of 1" not in played.content
        assert "1 głos na 1" not in played.content
    assert fair.wall.violations == []


async def test_the_list_of_a_server_leads_to_its_thread(fair: Fair) -> None:
    await fair.accept(vote="1h")
    contest = await fair.contest(lambda now: bool(now.boards and now.boards[0].match))
    for side, person, channel in ((Side.HOME, fair.ola, fair.here), (Side.GUEST, fair.jadwiga, fair.there)):
        listed = await private_message(person.command(channel, "vote games"))
        assert f"/{contest.boards[0].calls[side]}" in str(listed.components)
