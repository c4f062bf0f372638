"""Profiles and histories: what they show, of whom, and where."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import update

from bot.features.players.profiles import GAMES_PER_PAGE
from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.settlement import RatedGame, rate
from rules.game import Outcome, Seat
from storage import schema
from tests.bot.panels import shared_copy
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import play_rated_match, skip_confirmations, version_message
from tests.clock import DAY
from tests.matches import a_match, add_match, play_turn, resign, save_match


@pytest.fixture(autouse=True)
async def _ready(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the accounts old enough for ratings, lets games of one move count, and asks for no confirmations."""
    monkeypatch.setattr("use_cases.ratings.MIN_MOVES", 1)
    await room.pass_time(30 * DAY)
    await skip_confirmations(room)


async def test_a_player_who_never_played_is_told_how_to_begin(room: Room) -> None:
    assert "</challenge:" in (await private_message(room.ola.command(room.channel, "history"))).text
    assert "No finished games yet" in (await private_message(room.ola.command(room.channel, "profile"))).text


async def test_a_profile_with_few_games_repeats_nothing(room: Room) -> None:
    await play_rated_match(room)
    lines = (await private_words(room.ola.command(room.channel, "profile"))).splitlines()
    assert [line for line in lines if "won" in line] == [
        "**Games**: 0 won, 0 drawn, 1 lost",
        "Zagram: 0 won, 0 drawn, 1 lost",
        "Against **Максим**: 0 won, 0 drawn, 1 lost",
    ]


async def test_a_history_tells_of_each_game_with_its_link(room: Room) -> None:
    thread = await play_rated_match(room)
    text = (await private_message(room.ola.command(room.channel, "history"))).text
    assert "#1** lost to **Максим**, 0:0 (−162)" in text
    assert f"/{thread.id}/" in text
    other = (await private_message(room.ola.command(room.channel, "history", player=room.maksim))).text
    assert "#1** won against **Ola**, 0:0 (+162)" in other


async def test_a_history_has_pages_whose_buttons_outlive_the_bot(room: Room) -> None:
    players = UserId(room.ola.id), UserId(room.maksim.id)
    for channel in range(GAMES_PER_PAGE + 1):
        match = await add_match(room.services.store, a_match(channel, players))
        for change in (play_turn, play_turn, partial(resign, user=players[0])):
            match = await save_match(room.services.store, change(match))
    first = await private_message(room.ola.command(room.channel, "history"))
    assert ("#2**" in first.text, "#1**" in first.text, first.labels) == (True, False, ["Older ▶"])
    await room.restart()
    second = await room.ola.click(first, "Older ▶").followed()
    assert ("#1**" in second.text, second.labels) == (True, ["◀ Newer"])


async def test_a_history_tells_the_difference_of_the_ratings_as_players_read_them(room: Room) -> None:
    await play_rated_match(room)
    async with room.services.store.write() as tx:  # read as 1338 and 1265; the rounded difference would be 72
        values = {"before_value": 1337.6, "after_value": 1265.4}
        await tx.connection.execute(update(schema.change).values(**values))
    assert "0:0 (−73)" in (await private_message(room.ola.command(room.channel, "history"))).text


async def test_a_shared_profile_has_what_members_of_the_server_see(room: Room) -> None:
    await play_rated_match(room)
    players = UserId(room.kasia.id), UserId(room.maksim.id)
    elsewhere = await add_match(room.services.store, replace(a_match(5, players), guild=GuildId(8)))
    for change in (play_turn, play_turn, partial(resign, user=players[0])):
        elsewhere = await save_match(room.services.store, change(elsewhere))
    own = await private_message(room.maksim.command(room.channel, "profile"))
    assert "**Games**: 2 won" in own.text
    assert "Shared" in await private_words(room.maksim.click(own, "Share here"))
    shared = await shared_copy(room)
    assert f"Shared by {room.maksim.mention}" in shared.text
    assert "**Games**: 1 won" in shared.text
    assert "Kasia" not in shared.text
    assert (len(shared.attachments), shared.mentions) == (1, ())


async def test_the_buttons_of_a_shared_profile_open_private_answers(room: Room) -> None:
    await play_rated_match(room)
    await private_words(room.ola.click(await private_message(room.ola.command(room.channel, "profile")), "Share here"))
    shared = await shared_copy(room)
    games = await private_message(room.kasia.click(shared, "Show games"))
    assert "#1** lost to **Максим**" in games.text
    assert room.discord.message(shared) == shared


async def test_a_profile_without_a_game_on_the_server_is_not_shared(room: Room) -> None:
    own = await private_message(room.ola.command(room.channel, "profile"))
    assert "nothing to share here" in await private_words(room.ola.click(own, "Share here"))


async def test_in_private_a_profile_has_nothing_to_share_into(room: Room) -> None:
    await play_rated_match(room)
    assert "Share here" not in (await private_message(room.ola.command(room.ola.open_dm(), "profile"))).labels


async def test_two_players_are_shown_against_each_other(room: Room) -> None:
    await play_rated_match(room)
    text = (await private_message(room.ola.command(room.channel, "versus", opponent=room.maksim))).text
    assert "**Ola** against **Максим**" in text.replace("### ", "") or "Ola against Максим" in text
    assert "0 won, 0 drawn, 1 lost" in text
    none = (await private_message(room.ola.command(room.channel, "versus", opponent=room.kasia))).text
    assert "0 won, 0 drawn, 0 lost" in none


async def test_nobody_is_shown_against_themselves(room: Room) -> None:
    assert "A player can't play against themselves" in await private_words(
        room.ola.command(room.channel, "versus", opponent=room.ola)
    )


async def test_a_profile_has_ratings_record_and_curve(room: Room) -> None:
    await play_rated_match(room)
    shown = await private_message(room.kasia.command(room.channel, "profile", player=room.maksim))
    for words in (
        "### Максим",
        "**Dots (live)**: 1662? · 1 rated game",
        "**Games**: 1 won, 0 drawn, 0 lost",
        "Against **Ola**: 1 won",
    ):
        assert words in shown.text, words
    (curve,) = shown.attachments
    assert (curve.filename, curve.data[:4]) == ("kropka-profile-dots-live.png", b"\x89PNG")
    assert "1662?" in (curve.description or "")


async def test_a_profile_has_a_curve_for_each_pool(room: Room) -> None:
    await play_rated_match(room)
    await play_rated_match(room, 2, clock="3d")
    shown = await private_message(room.ola.command(room.channel, "profile"))
    await room.restart()
    (other,) = [label for label in shown.labels if label.startswith("Dots")]
    changed = await room.ola.click(shown, other).followed()
    assert changed.attachments[0].filename != shown.attachments[0].filename


async def test_a_game_that_came_to_nothing_leaves_a_trace(room: Room) -> None:
    thread = await room.start_match(size="10x10", rated=True)
    await room.cancel_match(room.ola, thread)
    await version_message(room, thread, 1)
    assert "Abandoned 1 game in" in (await private_message(room.ola.command(room.channel, "profile"))).text
    other = await private_message(room.ola.command(room.channel, "profile", player=room.maksim))
    assert "Abandoned" not in other.text


async def test_outside_of_servers_a_stranger_is_told_where_to_ask(room: Room) -> None:
    await play_rated_match(room)
    dm = room.kasia.open_dm()
    for command in ("history", "profile"):
        shown = await private_message(room.kasia.command(dm, command, player=room.maksim))
        assert "in private, you only see games that you played with this player. Try again on a server" in shown.text
        assert shown.labels == []
        assert shown.attachments == ()


async def test_outside_of_servers_opponents_see_their_games_and_no_ratings(room: Room) -> None:
    await play_rated_match(room)
    dm = room.ola.open_dm()
    assert (
        "#1** won against **Ola**" in (await private_message(room.ola.command(dm, "history", player=room.maksim))).text
    )
    shown = await private_message(room.ola.command(dm, "profile", player=room.maksim))
    assert "**Games**: 1 won" in shown.text
    assert "1662" not in shown.text
    assert (shown.labels, shown.attachments) == (["Show games"], ())


async def test_outside_of_servers_everybody_sees_all_of_their_own(room: Room) -> None:
    await play_rated_match(room)
    shown = await private_message(room.maksim.command(room.maksim.open_dm(), "profile"))
    assert "1662?" in shown.text
    assert len(shown.attachments) == 1


async def test_a_profile_has_the_rating_of_the_leaderboard_and_the_games_of_its_server(room: Room) -> None:
    await play_rated_match(room)
    users, pool = [UserId(each.id) for each in (room.maksim, room.ola)], Pool.parse("dots-live")
    async with room.services.store.write() as tx:
        before = await tx.ratings.get(pool, users)
        elsewhere = await tx.matches.add(a_match(5, (users[0], users[1])))
        game = RatedGame(
            elsewhere.id, pool, (users[0], users[1]), Outcome((Seat(0),), "full"), (1.0, 0.0), (0, 0), room.clock()
        )
        changes = rate(game, before)
        await tx.ratings.add_changes([replace(each, guild=GuildId(8)) for each in changes])
    now = f"{round(changes[0].after.value)}?"
    here = await private_message(room.kasia.command(room.channel, "profile", player=room.maksim))
    assert f"**Dots (live)**: {now} · 1 rated game" in here.text
    assert "1662?" in (here.attachments[0].description or "")
    own = await private_message(room.maksim.command(room.channel, "profile"))
    assert f"**Dots (live)**: {now} · 2 rated games" in own.text
