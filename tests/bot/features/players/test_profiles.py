"""What somebody has played: profile, history, head to head, films and records."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest

from loopback import Channel, Interaction, Message
from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.settlement import Game, settled
from play.records import sgf
from rules.game import Outcome
from rules.point import Seat
from tests.bot.room import Room, private_words
from tests.bot.waiting import at_once, panel, told
from tests.clock import DAY
from tests.matches import a_match, added


@pytest.fixture(autouse=True)
async def _ready(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The accounts are old enough to count, games of one move count, too, and moves count at once."""
    monkeypatch.setattr("play.ratings.ledger.MIN_MOVES", 1)
    await room.passes(30 * DAY)
    await at_once(room)


async def finished(room: Room, match: int = 1, **options: object) -> Channel:
    """A rated match of Ola and Максим that she resigned after both had moved."""
    thread = await room.match(**{"size": "10x10", "rated": True, **options})
    for person, move in ((room.ola, "e5"), (room.maksim, "f6")):
        await person.command(thread, "move", point=move).answered()
    asked = await panel(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    await told(room, thread, 3, match)
    return thread


async def file_of(interaction: Interaction) -> tuple[str, bytes]:
    """The name and the contents of the file that the person alone was given."""
    await interaction.answered()
    given: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.attachments]
    )
    (attachment,) = given[-1].attachments
    return attachment.filename, attachment.data


async def test_whoever_never_played_is_told_how_to_begin(room: Room) -> None:
    assert "`/challenge`" in (await panel(room.ola.command(room.channel, "history"))).text
    assert "No game has been decided yet" in (await panel(room.ola.command(room.channel, "profile"))).text


async def test_a_history_tells_of_each_game_with_its_link(room: Room) -> None:
    thread = await finished(room)
    text = (await panel(room.ola.command(room.channel, "history"))).text
    assert "#1** lost to **Максим**, 0:0 (-162)" in text
    assert f"/{thread.id}/" in text
    other = (await panel(room.ola.command(room.channel, "history", player=room.maksim))).text
    assert "#1** won against **Ola**, 0:0 (+162)" in other


async def test_a_history_has_pages_whose_buttons_outlive_the_bot(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.players.histories.GAMES_PER_PAGE", 1)
    await finished(room)
    await finished(room, 2)
    first = await panel(room.ola.command(room.channel, "history"))
    assert ("#2**" in first.text, "#1**" in first.text, first.labels) == (True, False, ["Older ▶"])
    await room.restart()
    second = await room.ola.click(first, "Older ▶").followed()
    assert ("#1**" in second.text, second.labels) == (True, ["◀ Newer"])


async def test_two_players_are_shown_against_each_other(room: Room) -> None:
    await finished(room)
    text = (await panel(room.ola.command(room.channel, "versus", opponent=room.maksim))).text
    assert "**Ola** against **Максим**" in text.replace("### ", "") or "Ola against Максим" in text
    assert "0 won, 0 drawn, 1 lost" in text
    none = (await panel(room.ola.command(room.channel, "versus", opponent=room.kasia))).text
    assert "0 won, 0 drawn, 0 lost" in none


async def test_nobody_is_shown_against_himself(room: Room) -> None:
    assert "Nobody plays against himself" in await private_words(
        room.ola.command(room.channel, "versus", opponent=room.ola)
    )


async def test_a_profile_has_ratings_record_and_curve(room: Room) -> None:
    await finished(room)
    shown = await panel(room.kasia.command(room.channel, "profile", player=room.maksim))
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
    await finished(room)
    await finished(room, 2, clock="3d")
    shown = await panel(room.ola.command(room.channel, "profile"))
    await room.restart()
    (other,) = [label for label in shown.labels if label.startswith("Dots")]
    changed = await room.ola.click(shown, other).followed()
    assert changed.attachments[0].filename != shown.attachments[0].filename


async def test_a_game_that_came_to_nothing_leaves_a_trace(room: Room) -> None:
    thread = await room.match(size="10x10", rated=True)
    await room.ola.command(thread, "abort").answered()
    await told(room, thread, 1)
    assert "1 game has come to nothing" in (await panel(room.ola.command(room.channel, "profile"))).text
    other = await panel(room.ola.command(room.channel, "profile", player=room.maksim))
    assert "come to nothing" not in other.text


async def test_a_game_can_be_seen_as_a_film(room: Room) -> None:
    thread = await finished(room)
    for asked in (room.kasia.command(thread, "replay"), room.ola.command(room.channel, "replay", game=1)):
        name, film = await file_of(asked)
        assert (name, film[:4]) == ("kropka-1.gif", b"GIF8")


async def test_a_game_can_be_taken_along_as_a_record(room: Room) -> None:
    thread = await finished(room)
    name, data = await file_of(room.kasia.command(thread, "export game"))
    record = sgf.read(data)
    assert (name, record.result, len(record.moves)) == ("kropka-1.sgf", "W+R", 2)


async def test_all_games_can_be_taken_along(room: Room) -> None:
    await finished(room)
    await finished(room, 2)
    name, data = await file_of(room.ola.command(room.channel, "export all"))
    assert name == "kropka-games.zip"
    assert ZipFile(BytesIO(data)).namelist() == ["kropka-2.sgf", "kropka-1.sgf"]
    assert "no finished games" in await private_words(room.kasia.command(room.channel, "export all"))


async def test_the_latest_games_are_suggested_by_number(room: Room) -> None:
    await finished(room)
    (choice,) = await room.ola.complete(room.channel, "replay", focused="game", game="1")
    assert (choice["value"], choice["name"].startswith("#1 Максим")) == (1, True)


async def test_outside_of_servers_a_stranger_is_told_where_to_ask(room: Room) -> None:
    await finished(room)
    dm = room.kasia.open_dm()
    for command in ("history", "profile"):
        shown = await panel(room.kasia.command(dm, command, player=room.maksim))
        assert "in private you see only games that you played with this player. Ask on a server" in shown.text
        assert shown.labels == []
        assert shown.attachments == ()


async def test_outside_of_servers_opponents_see_their_games_and_no_ratings(room: Room) -> None:
    await finished(room)
    dm = room.ola.open_dm()
    assert "#1** won against **Ola**" in (await panel(room.ola.command(dm, "history", player=room.maksim))).text
    shown = await panel(room.ola.command(dm, "profile", player=room.maksim))
    assert "**Games**: 1 won" in shown.text
    assert "1662" not in shown.text
    assert (shown.labels, shown.attachments) == (["Games"], ())


async def test_outside_of_servers_everybody_sees_all_of_their_own(room: Room) -> None:
    await finished(room)
    shown = await panel(room.maksim.command(room.maksim.open_dm(), "profile"))
    assert "1662?" in shown.text
    assert len(shown.attachments) == 1


async def test_what_a_rating_became_elsewhere_is_not_shown_here(room: Room) -> None:
    await finished(room)
    users, pool = [UserId(each.id) for each in (room.maksim, room.ola)], Pool.parse("dots-live")
    async with room.services.store.write() as transaction:
        before = await transaction.ratings(pool, users)
        elsewhere = await transaction.add_match(a_match(5, (users[0], users[1])))
        game = Game(
            elsewhere.id, pool, (users[0], users[1]), Outcome((Seat(0),), "full"), (1.0, 0.0), (0, 0), room.clock()
        )
        changes = settled(game, before)
        await transaction.add_changes(GuildId(8), changes)
    now = f"{round(changes[0].after.value)}?"
    here = await panel(room.kasia.command(room.channel, "profile", player=room.maksim))
    assert "**Dots, live**: 1662? · rated games: 1" in here.text
    own = await panel(room.maksim.command(room.channel, "profile"))
    assert f"**Dots, live**: {now} · rated games: 2" in own.text


async def test_a_film_of_another_server_is_for_its_players_alone(room: Room) -> None:
    match = await added(room.services.store, a_match(5, (UserId(room.ola.id), UserId(room.maksim.id))))
    assert "I do not know this game" in await private_words(room.kasia.command(room.channel, "replay", game=match.id))
