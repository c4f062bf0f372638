"""Tournaments in a channel, from the sign-up to the last round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.competitions.tournament import Stage
from play.ids import GuildId
from tests.bot.features.competitions.tournaments.cup import (
    begin_tournament,
    is_open,
    load_tournament,
    make_tournament,
    resign_all,
    wait_for,
    wait_for_message,
)
from tests.bot.forging import click
from tests.bot.panels import confirm
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY


async def test_players_sign_up_and_withdraw_by_buttons(room: Room) -> None:
    card = await make_tournament(room)
    assert card.labels == ["Sign up", "Withdraw", "Begin", "Change terms"]
    assert "You're signed up" in await private_words(room.maksim.click(card, "Sign up"))
    assert "already signed up" in await private_words(room.maksim.click(card, "Sign up"))
    await wait_for_message(room, lambda each: "Signed up (1): Максим" in each.content)
    assert "You're off the list" in await private_words(room.maksim.click(card, "Withdraw"))
    assert "You aren't in this tournament" in await private_words(room.maksim.click(card, "Withdraw"))
    await wait_for_message(room, lambda each: "Nobody has signed up yet." in each.content)


async def test_a_withdrawal_from_a_running_tournament_asks_first_and_names_the_game_that_it_loses(room: Room) -> None:
    now = await begin_tournament(room, format="round-robin")
    (bout,) = (each for each in now.current_pairings if each.second)
    (player,) = (each for each in room.discord.people.values() if each.id == bout.first)
    assert bout.match is not None
    match = await room.use_cases.matches.load(bout.match)
    card = await wait_for_message(room, lambda each: each.labels == ["Withdraw"])
    question = await private_message(player.click(card, "Withdraw"))
    assert "Withdraw from Autumn Cup?" in question.text
    assert f"You also resign your game <#{match.channel}>" in question.text
    assert "Nothing has changed" in (await player.click(question, "Not now").followed()).text
    assert not (await load_tournament(room)).gone
    await room.restart()
    asked = player.command(room.channel, "tournament withdraw")
    assert await confirm(player, asked, "Withdraw") == "You've withdrawn from **Autumn Cup**."
    now = await wait_for(room, lambda later: bool(later.gone))
    assert now.gone == {bout.first}
    assert (await room.use_cases.matches.load(bout.match)).outcome


async def test_a_second_answer_withdraws_nobody_twice(room: Room) -> None:
    await begin_tournament(room, format="round-robin")
    question = await private_message(room.kasia.command(room.channel, "tournament withdraw"))
    assert "You've withdrawn" in (await room.kasia.click(question, "Withdraw").followed()).text
    assert "already withdrawn" in await private_words(room.kasia.command(room.channel, "tournament withdraw"))


async def test_only_the_host_answers_whether_it_is_cancelled(room: Room) -> None:
    await begin_tournament(room)
    question = await private_message(room.ola.command(room.channel, "tournament cancel"))
    assert "Games in progress go on and count" in question.text
    assert (await load_tournament(room)).stage is Stage.RUNNING
    forged = click(room, room.kasia, room.channel, "tournament:1:sure:cancel")
    assert "Only the host" in await private_words(forged)
    assert (await load_tournament(room)).stage is Stage.RUNNING


async def test_only_its_host_begins_it_and_not_with_two(room: Room) -> None:
    card = await make_tournament(room)
    assert "Only the host" in await private_words(room.maksim.click(card, "Begin"))
    assert "a tournament needs 3" in await private_words(room.ola.click(card, "Begin"))


async def test_a_channel_has_one_tournament_at_a_time(room: Room) -> None:
    await make_tournament(room)
    again = room.ola.command(room.channel, "tournament create", name="Another", format="swiss")
    assert "already has a tournament" in await private_words(again)
    cancelled = room.ola.command(room.channel, "tournament cancel")
    assert "You cancelled the tournament" in await confirm(room.ola, cancelled, "Cancel tournament")
    await wait_for_message(room, lambda each: "cancelled the tournament" in each.content and not each.labels)


async def test_not_everybody_makes_tournaments(room: Room) -> None:
    asked = room.kasia.command(room.channel, "tournament create", name="Mine", format="swiss")
    assert "can create a tournament" in await private_words(asked)


async def test_the_games_of_a_round_open_in_threads(room: Room) -> None:
    now = await begin_tournament(room)
    (bout,) = (bout for bout in now.current_pairings if bout.second)
    call = await wait_for_message(room, lambda each: each.content.startswith("**Autumn Cup**, round 1:"))
    thread = await room.wait_for_thread(call)
    board = room.boards(thread)[0]
    assert board.mentions == (bout.first,)


async def test_the_message_has_pairs_and_standings(room: Room) -> None:
    now = await begin_tournament(room, format="round-robin")
    await resign_all(room, now)
    now = await wait_for(room, is_open(2))
    card = await wait_for_message(room, lambda each: "**Round 2**" in each.content and "<#" in each.content)
    assert "Buchholz" not in card.content, "it decides nothing where all meet"
    (pair,) = (pair for pair in now.current_pairings if pair.second)
    assert pair.match is not None
    match = await room.use_cases.matches.load(pair.match)
    assert f": <#{match.channel}>" in card.content
    assert [each.filename for each in card.attachments] == ["kropka-tournament-1.png"]
    await resign_all(room, now)
    await resign_all(room, await wait_for(room, is_open(3)))
    await wait_for(room, lambda now: now.stage is Stage.ENDED)
    card = await wait_for_message(room, lambda each: "Finished after round 3" in each.content)
    assert "1\\. **Kasia Wiśniewska** 3" in card.content
    assert card.labels == []


async def test_a_tournament_outlasts_a_discord_that_fails(room: Room) -> None:
    room.discord.fault("POST", "/channels/{channel_id}/messages", 403, times=2, code=50013)
    room.discord.fault("POST", "/channels/{channel_id}/messages", 400, applied=True)
    card = await make_tournament(room)
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.click(card, "Sign up"))
    room.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 403, times=2, code=50013)
    await private_words(room.ola.click(card, "Begin"))
    await room.restart()
    await wait_for(room, is_open(1))
    told = [each for each in room.discord.messages(room.channel) if "Autumn Cup" in each.content]
    assert len([each for each in told if "round 1:" in each.content]) == 1
    assert len([each for each in told if "round 1. The games:" in each.content]) == 1
    assert len([each for each in told if each.content.startswith("## ")]) == 1


async def test_a_round_whose_time_is_over_is_judged(room: Room) -> None:
    await begin_tournament(room, format="round-robin", pace="12h")
    await room.pass_time(DAY // 2)
    room.use_cases.events.tournament_changed()
    now = await wait_for(room, is_open(2))
    assert sorted(bout.points or () for bout in now.pairings if bout.round == 1) == [(0.0, 1.0), (1.0, 0.0)]


@pytest.mark.contest
async def test_a_swiss_tournament_of_16_with_restarts_and_a_withdrawal(room: Room) -> None:
    card = await make_tournament(room, rounds=4)
    people = [room.ola, room.maksim, room.kasia, *(room.discord.invite(f"Player {number}") for number in range(4, 17))]
    for person in people:
        await private_words(person.click(card, "Sign up"))
    await private_words(room.ola.click(card, "Begin"))
    await room.restart()
    for round_ in range(1, 5):
        now = await wait_for(room, is_open(round_))
        if round_ == 2:
            asked = room.kasia.command(room.channel, "tournament withdraw")
            assert "You've withdrawn" in await confirm(room.kasia, asked, "Withdraw")
            now = await load_tournament(room)
        await resign_all(room, now)
        await room.restart()
    now = await wait_for(room, lambda now: now.stage is Stage.ENDED)
    pairs = [frozenset((bout.first, bout.second)) for bout in now.pairings]
    assert len(pairs) == len(set(pairs)), "no two players meet twice"
    assert [len([bout for bout in now.pairings if bout.round == each]) for each in (1, 2, 3, 4)] == [8, 8, 8, 8]
    assert sum(row.points for row in now.table) == sum(sum(bout.points or ()) for bout in now.pairings) == 32
    assert room.kasia.id not in {user for bout in now.pairings if bout.round > 2 for user in (bout.first, bout.second)}


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"name": "\u200b\u2060\u3164"}, "That name looks empty"),
        ({"pace": "1s"}, "A round takes 10 minutes to 30 days"),
        ({"pace": "99d"}, "bad_duration"),
        ({"pace": "x" * 30}, "bad_duration"),
        ({"size": "1000x1000"}, "bad_size"),
        ({"size": "no size"}, "bad_size"),
        ({"clock": "no clock"}, "bad_clock"),
    ],
)
async def test_impossible_options_of_a_tournament_are_refused_in_private(
    room: Room, options: dict[str, str], reason: str
) -> None:
    asked = {"name": "Autumn Cup", "format": "swiss", **options}
    told = room.ola.command(room.channel, "tournament create", **asked)
    words = await private_words(told)
    beginning = reason if " " in reason else room.services.languages.of()._translations.gettext(f"refused.{reason}")
    assert words.startswith(beginning.partition("{")[0])
    assert all(each.ephemeral for each in told.messages)
    assert room.discord.messages(room.channel) == []


async def test_a_tournaments_name_is_shown_without_what_is_invisible(room: Room) -> None:
    await make_tournament(room, name="Autumn\u202e\u200b Cup" + "e\u0301" + "\u0301" * 30)
    now = await load_tournament(room)
    assert now.name == "Autumn Cupe" + "\u0301" * 3


@pytest.mark.parametrize("rated", [True, False])
async def test_games_are_rated_by_the_switch_of_the_server_where_nothing_is_said(room: Room, rated: bool) -> None:
    guild = GuildId(room.discord.guild.id)
    async with room.services.store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(guild), rated=rated))
    asked = {"name": "Autumn Cup", "format": "swiss", "size": "5x5", "clock": "1d"}
    await private_words(room.ola.command(room.channel, "tournament create", **asked))
    assert (await load_tournament(room)).terms.rated is rated
