"""`/replay`, `/export` and `/import`, and a context menu of messages."""

from __future__ import annotations

import discord
from discord.app_commands import Choice

from bot.features.records import exports, imports, replays
from bot.interactions.commands import Command, Group, Menu
from bot.interactions.context import Context
from presentation.records import PRESETS


async def replay(ctx: Context, game: int | None = None) -> None:
    await replays.show_replay(ctx, await exports.find_match(ctx, game))


async def game(ctx: Context, game: int | None = None) -> None:
    await exports.send_sgf(ctx, await exports.find_match(ctx, game))


async def all_(ctx: Context) -> None:
    await exports.send_all_sgf(ctx)


async def import_(ctx: Context, file: discord.Attachment, rules: str | None = None) -> None:
    await replays.show_import(ctx, file, rules)


async def open_record(ctx: Context, message: discord.Message) -> None:
    await replays.show_import(ctx, imports.find_record(message), None)


COMMANDS = (
    Command(replay, suggests={"game": exports.suggest_games}),
    Group("export", (Command(game, like="replay", suggests={"game": exports.suggest_games}), Command(all_))),
    Command(
        import_,
        choices={"rules": lambda words: [Choice(name=words(f"preset.{key}.name"), value=key) for key in PRESETS]},
    ),
    Menu("record", open_record),
)
