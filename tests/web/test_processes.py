"""Players at different processes on one PostgreSQL database, of which one is killed in the middle of their game."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopback import TOKEN, Discord
from tests.bot.room import private_message
from tests.bot.test_processes import wait_for_shard
from tests.clock import StoppedClock
from tests.program import kropka
from tests.web.processes import begin_game, free_ports, prepare, wait_for_site
from tests.web.visit import Visit, link_on


@pytest.mark.process
async def test_players_at_two_processes_play_on_when_one_is_killed(
    discord: Discord, clock: StoppedClock, tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = free_ports(2)
    public = "http://localhost:9"  # what a reverse proxy would be
    await prepare(clock, monkeypatch, public)
    ola, maksim = discord.people["Ola"], discord.people["Максим"]
    settings = {"token": TOKEN, "database": postgres_url, "discord": discord.address, "web_url": public}
    async with (
        kropka(tmp_path, "run", **settings, web_port=str(one)) as old,
        Visit(f"http://127.0.0.1:{one}/", origin=public) as first,
        Visit(f"http://127.0.0.1:{two}/", origin=public) as second,
    ):
        await wait_for_shard(discord, old)
        async with kropka(tmp_path, "run", **settings, web_port=str(two)):
            await wait_for_site(two)
            board = await begin_game(discord, ola, maksim, discord.channels["dots"])
            links = [link_on(await private_message(each.click(board, "Browser"))) for each in (ola, maksim)]
            hers, his = await first.open(links[0]), await second.open(links[1])
            one_moves, other = sorted((hers, his), key=lambda each: each.board["view"]["you"])  # lots were drawn
            assert (await one_moves.play("E5"))["version"] == 1
            assert "played E5" in (await other.version(1))["view"]["last"]
            assert (await other.play("D4"))["version"] == 2
            assert (await one_moves.version(2))["view"]["to_act"] == [0]
            old.kill()
            await old.wait()
            assert await hers.closed() is not None
            first.address = second.address  # the proxy sends her to the other process
            again = await first.live("/board/1")
            assert (await again.read())["version"] == 2
            await his.version(2)
            mover, other = (again, his) if one_moves is hers else (his, again)
            assert (await mover.play("F5", id="the-third-move"))["version"] == 3
            assert (await mover.play("F5", id="the-third-move", version=2))["version"] == 3
            assert "played F5" in (await other.version(3))["view"]["last"]
