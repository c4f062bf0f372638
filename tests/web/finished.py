"""Finished games for pages, stored without Discord."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from loopback import Channel
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, UserId
from play.match import moves
from play.match.match import Match
from rules.game import AnyGame
from tests.bot.room import Room
from tests.matches import discard_boards

_keys = count(10**15)


async def switch_pages(room: Room, *, on: bool) -> None:
    """Has the server show its games on the web, or not."""
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, pages=on))


async def store_game(
    room: Room,
    channel: Channel,
    game: AnyGame,
    played: Sequence[str],
    *,
    guild: int | None = 0,
    resigns: bool = True,
) -> Match:
    """Stores a game of Ola, Максим and perhaps Kasia in a channel of the server (or `guild`); Ola resigns it."""
    here = room.discord.guild.id if guild == 0 else guild
    players = (UserId(room.ola.id), UserId(room.maksim.id), UserId(room.kasia.id))[: game.seats]
    match = Match.begin(
        MatchId(0),
        guild=None if here is None else GuildId(here),
        channel=ChannelId(channel.id),
        parent=None,
        game=game,
        seed=1,
        players=players,
        control=parse_control("10m+30s"),
        at=room.clock(),
    )
    async with room.services.store.write() as tx:
        match = await tx.matches.add(match)
        for text in played:
            assert match.to_act is not None
            mover = match.players[match.to_act]
            match = moves.move(match, mover, text, room.clock(), IdempotencyKey(next(_keys)))
            await tx.matches.save(match)
        if resigns:
            match = moves.resign(match, players[0], room.clock(), IdempotencyKey(next(_keys)))
            await tx.matches.save(match)
        await discard_boards(tx, match.id)
    return match


def path_of(room: Room, match: Match) -> str:
    """Returns the path that a game's page has, if there is one."""
    links = room.services.web_links
    assert links is not None
    return "/" + links.page(match.id).removeprefix(room.discord.address).lstrip("/")
