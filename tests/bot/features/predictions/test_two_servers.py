"""A game of two servers is predicted on both, and neither learns who has said what on the other."""

from __future__ import annotations

import pytest

from loopback import Channel, Message, Person
from play.community.prediction import windows
from play.ids import IdempotencyKey, UserId
from tests.bot.border import Border
from tests.bot.features.predictions.test_predictions import play_out
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words


@pytest.fixture
def border(room: Room) -> Border:
    return Border(room)


async def predict(border: Border, person: Person, channel: Channel, pick: str) -> Message:
    """Lets a member predict by the button of the board; returns their panel."""
    button = next(part["custom_id"] for part in border.newest(channel).controls if "predict" in part["custom_id"])
    panel = await private_message(person.click(border.newest(channel), button))
    menu = next(part["custom_id"] for part in panel.controls if part["custom_id"].endswith(":predict:result"))
    return await choose(person, panel, menu, pick)


def told(border: Border, channel: Channel) -> list[str]:
    return [each.content for each in border.room.discord.messages(channel) if "🔮" in each.content]


async def test_each_server_has_its_own_picks_line_and_table(border: Border) -> None:
    match = await border.begin(size="10x10", predictable=True)
    assert "You predict: **Jadwiga by 5–9**." in (await predict(border, border.moderator, border.here, "-2")).text
    assert "You predict: **Jadwiga by up to 4**." in (await predict(border, border.straznik, border.there, "-1")).text
    listed = await private_words(border.straznik.command(border.there, "predict games"))
    assert f"<#{border.there.id}>" in listed
    await play_out(border.room, match, windows(match)[0].closes)
    await border.room.use_cases.matches.resign(
        match.id, UserId(border.ola.id), border.room.clock(), IdempotencyKey(10**8)
    )
    await border.until(lambda: told(border, border.here) and told(border, border.there))
    assert told(border, border.here) == ["🔮 Kasia Wiśniewska predicted this game best: 8 points."]
    assert told(border, border.there) == ["🔮 Najlepszy typ tej partii: Bogdan Nowakowski, 8 punktów."]
    table = await private_words(border.straznik.command(border.there, "predict table"))
    assert "Bogdan Nowakowski" in table
    assert "Kasia" not in table
    assert border.wall.violations == []


async def test_players_of_both_servers_do_not_predict_it(border: Border) -> None:
    await border.begin(size="10x10", predictable=True)
    for player, channel in ((border.ola, border.here), (border.jadwiga, border.there)):
        board = border.newest(channel)
        button = next(part["custom_id"] for part in board.controls if "predict" in part["custom_id"])
        assert "/predict games" in await private_words(player.click(board, button))
    assert border.wall.violations == []
