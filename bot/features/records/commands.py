"""`/replay`, `/export` and `/import`, and a context menu of messages."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.features.records import exports, imports, replays
from bot.interactions.commands import context_menu, takes_context
from bot.interactions.context import Context
from bot.interactions.feature import Command
from presentation.records import PRESETS
from presentation.words.words import Words


def commands(words: Words) -> tuple[Command, ...]:
    """Returns the commands, described in `words`."""

    @app_commands.command(name="replay", description=words("command.replay"))
    @app_commands.describe(game=words("command.replay.game"))
    @app_commands.autocomplete(game=exports.suggest_games)
    @takes_context
    async def replay(ctx: Context, game: int | None = None) -> None:
        await ctx.defer_private()
        await replays.show_replay(ctx, await exports.find_match(ctx, game))

    export = app_commands.Group(name="export", description=words("command.export"))

    @export.command(name="game", description=words("command.export.game"))
    @app_commands.describe(game=words("command.replay.game"))
    @app_commands.autocomplete(game=exports.suggest_games)
    @takes_context
    async def game(ctx: Context, game: int | None = None) -> None:
        await ctx.defer_private()
        await exports.send_sgf(ctx, await exports.find_match(ctx, game))

    @export.command(name="all", description=words("command.export.all"))
    @takes_context
    async def all_(ctx: Context) -> None:
        await ctx.defer_private()
        await exports.send_all_sgf(ctx)

    @app_commands.command(name="import", description=words("command.import"))
    @app_commands.describe(file=words("command.import.file"), rules=words("command.import.rules"))
    @app_commands.choices(rules=[Choice(name=words(f"preset.{key}.name"), value=key) for key in PRESETS])
    @takes_context
    async def import_(ctx: Context, file: discord.Attachment, rules: str | None = None) -> None:
        await ctx.defer_private()
        await replays.show_import(ctx, file, rules)

    @context_menu(words, "record")
    async def open_record(ctx: Context, message: discord.Message) -> None:
        await ctx.defer_private()
        await replays.show_import(ctx, imports.find_record(message), None)

    return replay, export, import_, open_record
