"""Many games of a player, begun without the chat: a home page shows them."""

from __future__ import annotations

from loopback import Person
from loopback.model import User
from play.challenge.terms import USUAL_CONTROL, Order, Terms
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, UserId
from rules.game import Point, parse_size, point_name
from rules.registry import DEFAULT, make_game
from tests.bot.room import Room

SIZES = ("9x9", "20x20", "13x13", "39x32")

OPENING = ((-1, 0), (0, 0), (0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (2, 0))
"""Moves around the middle of a board; the seventh captures a dot."""


async def begin_games(
    room: Room, player: Person, opponent: Person | User, count: int, *, size: str = ""
) -> list[MatchId]:
    """Begins games over days between two players, each in a channel of its own; `player` is to move in all of them."""
    guild, begun = GuildId(room.discord.guild.id), []
    challenges, matches = room.use_cases.challenges, room.use_cases.matches
    for number in range(count):
        channel = ChannelId(room.discord.open_channel(f"game-{player.id}-{number}").id)
        game = make_game(DEFAULT, {"size": size or SIZES[number % len(SIZES)], "start": "empty"})
        terms, (mine, theirs) = Terms(game, USUAL_CONTROL, Order.FIRST), (UserId(player.id), UserId(opponent.id))
        offered = await challenges.challenge(mine, theirs, guild, channel, terms, room.clock())
        _, match = await challenges.accept(offered.id, theirs, room.clock())
        assert match is not None
        width, height = parse_size(game.options["size"]) or (0, 0)
        for turn, (x, y) in enumerate(OPENING[: 2 * (number % 5)]):
            mover, key = match.players[turn % 2], IdempotencyKey(10_000 * match.id + turn)
            where = point_name(Point(width // 2 + x, height // 2 + y))
            await matches.move(match.id, mover, where, room.clock(), key)
        begun.append(match.id)
        await room.wait_for_outbox()  # a first turn begins with its board
        room.clock.advance(600_000)
    return begun
