"""Servers and players of a contest by the names that the other server may read."""

from __future__ import annotations

from bot.services.names import Names
from play.competitions.contest import Contest, PlayerNumber, Side
from play.ids import GuildId
from presentation.words.words import Words

Servers = tuple[str, str]


async def server_name(names: Names, guild: GuildId, words: Words) -> str:
    """Returns the plain name of a server, or that it is one, where Discord does not tell it."""
    return await names.of_server(guild) or words("team.server")


async def server_names(names: Names, contest: Contest, words: Words) -> Servers:
    """Returns the plain names of both servers."""
    if contest.guest is None:
        return await server_name(names, contest.home.guild, words), words("team.server")
    home, guest = [await server_name(names, contest.team(side).guild, words) for side in Side]
    return home, guest


async def player_names(names: Names, contest: Contest) -> dict[PlayerNumber, str]:
    """Returns the plain names of all players, each by that on their own server."""
    return {
        number: await names.of(player.user, contest.team(side).guild)
        for side in contest.sides
        for number, player in contest.of_side(side)
    }
