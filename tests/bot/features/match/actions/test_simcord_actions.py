"""Actions beside moves on simcord, an independent simulation of Discord that may be stricter than ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simcord import MemberActor

from loopback import HANG_SECONDS
from play.ids import ChannelId, IdempotencyKey, UserId
from play.services.match_writer import InChannel
from rules.registry import make_game
from tests.bot.simcord_room import SimcordRoom, panel_of, simcord_room


def text(message: Any) -> str:
    """Returns all text of a message, in whatever part it is."""

    def walk(parts: Any) -> Any:
        for part in parts:
            part = part if isinstance(part, dict) else part.to_dict()
            yield part.get("content", "")
            yield from walk(part.get("components", ()))

    return "\n".join((message.content, *walk(message.components)))


async def press(person: MemberActor, message: Any, label: str) -> Any:
    """Presses a button of a private message; returns the message after that."""
    return panel_of(await person.click(message, label=label))


async def newest(scene: SimcordRoom) -> Any:
    """Returns the newest message of the channel, once the bot has posted everything."""
    async with scene.bot.store.read() as reader:
        match = await reader.matches.in_channel(ChannelId(scene.channel.id))
    assert match is not None
    assert await scene.bot.publisher.wait_for_board(match, within=HANG_SECONDS)
    await scene.env.settle()
    return scene.channel.history()[-1]


async def play(scene: SimcordRoom, *moves: str) -> Any:
    """Plays the moves for Ola and Максим in turn; returns the newest board."""
    for number, move in enumerate(moves):
        player = (scene.ola, scene.maksim)[number % 2]
        async with scene.bot.store.read() as reader:
            now = await reader.clock.now()
        here = InChannel(ChannelId(scene.channel.id))
        await scene.bot.use_cases.matches.move(here, UserId(player.id), move, now, IdempotencyKey(number + 1))
    return await newest(scene)


async def test_players_settle_draws_plans_take_backs_pauses_gifts_and_a_rematch(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        ola, maksim, channel = scene.ola, scene.maksim, scene.channel
        await scene.begin(make_game("zagram", {"size": "9x9", "start": "cross"}))
        await ola.slash(channel, "draw")
        await maksim.click(await newest(scene), label="Decline draw (Максим)")
        assert "declined the draw" in (await newest(scene)).content

        plan = panel_of(await maksim.slash(channel, "if", line="f5 g6"))
        assert "If Ola plays **F5**, you play **G6**." in text(plan)
        look = panel_of(await ola.slash(channel, "move", point="f5"))
        assert "If you play **F5**:" in text(look)
        await press(ola, look, "Play F5")
        assert "played **G6** as planned" in (await newest(scene)).content

        more = panel_of(await ola.click(await newest(scene), label="More"))
        assert "Your opponent sees it" in text(await press(ola, more, "Take back"))
        await maksim.click(await newest(scene), label="Allow take-back (Максим)")
        assert "The last move was taken back" in (await newest(scene)).content

        await ola.slash(channel, "pause", time="2d")
        await maksim.click(await newest(scene), label="Agree to pause (Максим)")
        assert "The game is paused until" in (await newest(scene)).content
        await ola.slash(channel, "pause")
        more = panel_of(await ola.click(await newest(scene), label="More"))
        clock = await press(ola, more, "Clock")
        assert "3 days per move" in text(clock)
        assert "1 day" in text(await press(ola, clock, "Give 1 day"))

        await maksim.slash(channel, "draw")
        await ola.click(await newest(scene), label="Accept draw (Ola)")
        await ola.click(await newest(scene), label="Rematch")
        card = scene.channel.history()[-1]
        await maksim.click(card, label="Accept")
        await scene.env.settle()
        assert "**Максим** moves first" in scene.boards()[-1]


async def test_a_line_is_drawn_by_buttons_and_an_end_is_agreed_on(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        await scene.begin(make_game("zagram-territory", {"size": "9x9", "start": "empty"}))
        await play(scene, "d5", "e5", "e6", "d4", "e4", "a2")
        look = panel_of(await scene.ola.slash(scene.channel, "move", point="f5"))
        await press(scene.ola, look, "Play F5 and close 1 area")
        assert "**F5** with a chain around E5" in (await newest(scene)).content

        asked = panel_of(await scene.maksim.slash(scene.channel, "stop"))
        assert asked.attachments
        await press(scene.maksim, asked, "Yes, end it")
        looked = panel_of(await scene.ola.click(await newest(scene), label="Look and agree (Ola)"))
        assert "Agree" in text(looked)
        await press(scene.ola, looked, "Yes, end it")
        assert "**Ola** wins" in (await newest(scene)).content


async def test_a_stop_is_looked_at_first_and_told_anew_when_the_game_has_gone_on(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        await scene.begin(make_game("paper", {"size": "7x7", "start": "empty"}))
        await play(scene, "d4", "c3", "d5", "c5")
        stale = panel_of(await scene.ola.slash(scene.channel, "stop"))
        assert stale.attachments
        await scene.maksim.slash(scene.channel, "draw")
        await newest(scene)
        now = await press(scene.ola, stale, "Yes, STOP")
        assert now.id == stale.id
        assert "The game has moved on" in text(now)
        assert "🔴 **Ola** loses 2 dots: D4, D5" in text(now)
        await press(scene.ola, now, "Yes, STOP")
        assert "wins after STOP" in (await newest(scene)).content


async def test_landing_shows_by_how_much_one_wins(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        await scene.begin(make_game("sport", {"size": "7x7", "start": "empty"}))
        moves = ("d4", "d5", "c5", "a1", "d6", "g1", "e5", "g2", "d3", "f2", "d2", "f3", "d1", "b6")
        more = panel_of(await scene.ola.click(await play(scene, *moves), label="More"))
        asked = await press(scene.ola, more, "Land")
        assert "**Ola** lands and wins" in text(asked)
        await press(scene.ola, asked, "Yes, land")
        assert "🛬 🔴 **Ola** lands" in (await newest(scene)).content


async def test_the_lesson_the_help_and_the_board_in_letters(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        lesson = panel_of(await scene.ola.slash(scene.channel, "learn"))
        solved = panel_of(await scene.ola.click(lesson, custom_id="lesson:0:D3"))
        assert solved.id == lesson.id
        following = await press(scene.ola, solved, "Next step")
        assert "2 of 3" in text(following)

        first = panel_of(await scene.ola.slash(scene.channel, "help"))
        commands = await press(scene.ola, first, "All commands")
        assert "</challenge:" in text(commands)

        await scene.begin(make_game("zagram", {"size": "9x9", "start": "cross"}))
        letters = await scene.ola.slash(scene.channel, "board", text=True)
        assert "```\n   ABCDEFGHI\n" in letters.followups[-1].content
