"""Profiles and histories: what they show, of whom, and where."""

from __future__ import annotations

from functools import partial

import pytest

from bot.features.players.histories import GAMES_PER_PAGE
from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.settlement import RatedGame, rate
from rules.game import Outcome
from rules.point import Seat
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import play_rated_match, skip_confirmations, version_message
from tests.clock import DAY
from tests.matches import a_match, add_match, play_turn, resign, save_match


@pytest.fixture(autouse=True)
async def _ready(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the accounts old enough for ratings, lets games of one move count, and asks for no confirmations."""
    monkeypatch.setattr("play.services.ratings.MIN_MOVES", 1)
    await room.pass_time(30 * DAY)
    await skip_confirmations(room)


async def test_a_player_who_never_played_is_told_how_to_begin(room: Room) -> None:
    assert "</challenge:" in (await private_message(room.ola.command(room.channel, "history"))).text
    assert "No game has been decided yet" in (await private_message(room.ola.command(room.channel, "profile"))).text


async def test_a_history_tells_of_each_game_with_its_link(room: Room) -> None:
    thread = await play_rated_match(room)
    text = (await private_message(room.ola.command(room.channel, "history"))).text
    assert "#1** lost to **Максим**, 0:0 (-162)" in text
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


async def test_two_players_are_shown_against_each_other(room: Room) -> None:
    await play_rated_match(room)
    text = (await private_message(room.ola.command(room.channel, "versus", opponent=room.maksim))).text
    assert "**Ola** against **Максим**" in text.replace("### ", "") or "Ola against Максим" in text
    assert "0 won, 0 drawn, 1 lost" in text
    none = (await private_message(room.ola.command(room.channel, "versus", opponent=room.kasia))).text
    assert "0 won, 0 drawn, 0 lost" in none


async def test_nobody_is_shown_against_themselves(room: Room) -> None:
    assert "Nobody plays against himself" in await private_words(
        room.ola.command(room.channel, "versus", opponent=room.ola)
    )


async def test_a_profile_has_ratings_record_and_curve(room: Room) -> None:
    await play_rated_match(room)
    shown = await private_message(room.kasia.command(room.channel, "profile", player=room.maksim))
    for words in (
        "### Максим",
        "**Dots, live**: 1662? · rated games: 1",
        "**Games**: 1 won, 0 drawn, 0 lost",
        "With a later move: 1 won",
        "Won in a row: 1 now, 1 at best",
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
    assert "1 game has come to nothing" in (await private_message(room.ola.command(room.channel, "profile"))).text
    other = await private_message(room.ola.command(room.channel, "profile", player=room.maksim))
    assert "come to nothing" not in other.text


async def test_outside_of_servers_a_stranger_is_told_where_to_ask(room: Room) -> None:
    await play_rated_match(room)
    dm = room.kasia.open_dm()
    for command in ("history", "profile"):
        shown = await private_message(room.kasia.command(dm, command, player=room.maksim))
        assert "in private you see only games that you played with this player. Ask on a server" in shown.text
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
    assert (shown.labels, shown.attachments) == (["Games"], ())


async def test_outside_of_servers_everybody_sees_all_of_their_own(room: Room) -> None:
    await play_rated_match(room)
    shown = await private_message(room.maksim.command(room.maksim.open_dm(), "profile"))
    assert "1662?" in shown.text
    assert len(shown.attachments) == 1


async def test_what_a_rating_became_elsewhere_is_not_shown_here(room: Room) -> None:
    await play_rated_match(room)
    users, pool = [UserId(each.id) for each in (room.maksim, room.ola)], Pool.parse("dots-live")
    async with room.services.store.write() as tx:
        before = await tx.ratings.get(pool, users)
        elsewhere = await tx.matches.add(a_match(5, (users[0], users[1])))
        game = RatedGame(
            elsewhere.id, pool, (users[0], users[1]), Outcome((Seat(0),), "full"), (1.0, 0.0), (0, 0), room.clock()
        )
        changes = rate(game, before)
        await tx.ratings.add_changes(GuildId(8), changes)
    now = f"{round(changes[0].after.value)}?"
    here = await private_message(room.kasia.command(room.channel, "profile", player=room.maksim))
    assert "**Dots, live**: 1662? · rated games: 1" in here.text
    own = await private_message(room.maksim.command(room.channel, "profile"))
    assert f"**Dots, live**: {now} · rated games: 2" in own.text
