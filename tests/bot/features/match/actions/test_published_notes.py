"""Published notes that moderators take off: of a game, or of a player who may have left or be banned."""

from __future__ import annotations

import pytest

from loopback import Person
from play.ids import MatchId, UserId
from play.match.match import MatchPlace
from play.match.sheet import Sheet
from play.match.turn_tree import TriedTurn
from play.refusal import Refused
from rules.game import Seat
from rules.registry import GAMES
from tests.bot.features.match.actions.test_bans import ban, log_in, wait_for_entry
from tests.bot.panels import confirm
from tests.bot.room import Room, private_message, written_out
from tests.web.finished import store_game
from use_cases.sheets import Sheets

GAME = GAMES["zagram"].with_options({"size": "9x9", "start": "empty"})


async def publish(room: Room, *people: Person, guild: int | None = 0) -> MatchId:
    """Stores a finished game with published notes of people; returns it."""
    match = await store_game(room, room.channel, GAME, ("E5", "E6"), guild=guild)
    async with room.services.store.write() as tx:
        for person in people:
            seat = Seat(match.players.index(UserId(person.id)))
            turn = TriedTurn(1, None, 0, seat, "E5", f"By {person.user.name}")
            sheet = Sheet(match.id, UserId(person.id), (turn,), 2, version=1, published=True)
            await tx.sheets.save(sheet, room.clock(), 9)
    return match.id


async def published(room: Room, match: MatchId) -> list[int]:
    async with room.services.store.read() as reader:
        return [sheet.user for sheet in await reader.sheets.published(match)]


async def take_off(room: Room, **options: object) -> str:
    room.make_moderator(room.kasia)
    asked = room.kasia.command(room.channel, "moderate notes", **options)
    question = await private_message(asked)
    return await confirm(room.kasia, asked, "Take notes off") if question.labels else written_out(question.text)


async def told(room: Room, person: Person, match: MatchId) -> list[str]:
    """Returns what the bot sends a person directly about a game."""
    room.bot.workers.outbox.wake(MatchPlace(match))
    await room.wait_for_outbox()
    return [message.content for message in room.discord.messages(person.open_dm())]


@pytest.mark.parametrize("happened", ["stays", "left", "banned"])
async def test_a_moderator_takes_the_notes_of_a_game_off_for_good(room: Room, happened: str) -> None:
    match = await publish(room, room.ola, room.maksim)
    if happened == "left":
        room.maksim.leave()
    elif happened == "banned":
        await ban(room, room.ola, room.maksim)
    assert "notes on 1 game are off" in await take_off(room, game=match)
    assert await published(room, match) == []
    sheets, maksim = Sheets(room.services.store, room.use_cases.matches, room.use_cases.actions), UserId(room.maksim.id)
    with pytest.raises(Refused, match="sheet_taken_off"):
        await sheets.publish(match, maksim, published=True)
    assert [turn.note for turn in (await sheets.load(match, maksim)).sheet.turns] == ["By Максим"]


async def test_their_authors_are_told_in_private(room: Room) -> None:
    match = await publish(room, room.ola, room.maksim)
    before = len(room.discord.messages(room.channel))
    await take_off(room, game=match, member=room.maksim)
    (line,) = await told(room, room.maksim, match)
    assert line.startswith("🗒️ Moderators took your published notes on your game with Ola off its page.")
    assert await told(room, room.ola, match) == []
    assert await published(room, match) == [room.ola.id]
    assert len(room.discord.messages(room.channel)) == before


async def test_all_notes_of_a_member_on_the_server_go_at_once_and_the_log_says_so(room: Room) -> None:
    await log_in(room, room.general)
    here = [await publish(room, room.maksim, room.ola) for _ in range(2)]
    elsewhere = await publish(room, room.maksim, guild=77)
    assert "notes on 2 games are off" in await take_off(room, member=room.maksim)
    assert [await published(room, match) for match in (*here, elsewhere)] == [[room.ola.id]] * 2 + [[room.maksim.id]]
    entry = await wait_for_entry(room, room.general, "🗒️")
    assert f"took the notes that <@{room.maksim.id}> published on 2 games off their pages." in entry.content


async def test_moderators_of_another_server_take_nothing_off(room: Room) -> None:
    match = await publish(room, room.maksim, guild=77)
    assert "server" in await take_off(room, game=match)
    assert "no published notes" in await take_off(room, member=room.maksim)
    assert await published(room, match) == [room.maksim.id]


async def test_without_a_game_the_command_explains_itself(room: Room) -> None:
    assert "**Take notes off**" in await take_off(room)
