"""The try-out: its servers, which stay when it is started again."""

from __future__ import annotations

from pathlib import Path

from bot.cli.tryout import ITS_PEOPLE, SECOND_SERVER, stand_in
from loopback import TOKEN, Discord


async def test_a_second_server_is_there_once_with_people_of_its_own_and_one_of_the_first(tmp_path: Path) -> None:
    state = tmp_path / "tryout.discord"
    for _ in range(2):
        async with stand_in(0, TOKEN, state) as discord:
            first, second = discord.world.guilds
            assert second.name == SECOND_SERVER
            assert [*discord.channels] == ["dots", "general"]
            assert [each.name for each in discord.world.channels_in(second)] == ["board-games"]
            names = [name for name, each in discord.people.items() if discord.world.is_member(each.id, second)]
            assert sorted(names) == sorted(ITS_PEOPLE)
            assert second.owner_id == discord.people[ITS_PEOPLE[0]].id
            both = [name for name in names if discord.world.is_member(discord.people[name].id, first)]
            assert both == [ITS_PEOPLE[-1]]


async def test_a_file_from_before_gets_the_second_server(tmp_path: Path) -> None:
    state = tmp_path / "tryout.discord"
    async with Discord(state=state) as before:
        said = before.people["Ola"].say(before.channels["dots"], "hello")
    async with stand_in(0, TOKEN, state) as discord:
        assert [each.name for each in discord.world.guilds][1:] == [SECOND_SERVER]
        assert discord.message(said) == said
