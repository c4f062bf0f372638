"""Three days of a home post, on a computer and on a phone. `--basetemp=DIR` keeps the pictures of the days."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import expect

from loopback import Discord
from play.ids import ChannelId, GuildId, UserId
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.window import Window
from tests.clock import DAY, HOUR, MINUTE
from tests.league import add_leaderboard


@in_both_sizes
async def test_the_home_of_three_days_fits_the_window(
    discord: Discord, room: Room, window: Window, tmp_path: Path
) -> None:
    guild, homes = GuildId(discord.guild.id), room.bot.workers.homes
    people = [UserId(person.id) for person in (room.ola, room.maksim, room.kasia)]
    await window.page.clock.set_fixed_time(datetime.fromtimestamp(room.clock() / 1000, UTC))
    await window.open(discord, room.ola, room.general)
    await room.use_cases.homes.settle(guild, ChannelId(room.general.id), None, UserId(1))
    for day in range(1, 4):
        if day == 2:
            await add_leaderboard(room.services.store, *people, guild=guild)
            await room.challenge()
            await room.maksim.command(room.general, "challenge", size="10x10", clock="3d").answered()
        if day == 3:
            await room.start_match(clock="3d")
        await homes.pending(50)
        await room.pass_time(10 * MINUTE)
        await homes.process(guild)
        await window.page.clock.set_fixed_time(datetime.fromtimestamp((room.clock() + HOUR) / 1000, UTC))
        shown = window.messages.get_by_text("What's on").last
        await expect(shown).to_be_visible()
        await expect(window.messages.get_by_text("What's on")).to_have_count(1)
        await window.expect_fit()
        await window.page.screenshot(path=tmp_path / f"day{day}.png")
        await shown.scroll_into_view_if_needed()
        await window.page.screenshot(path=tmp_path / f"day{day}-top.png")
        await room.pass_time(DAY)
        await homes.process(guild)
