"""Commands whose handlers take a context."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from discord import app_commands

from bot.interactions.context import Context
from bot.request import Interaction
from bot.services.translator import composed
from presentation.words.words import Words

P = ParamSpec("P")
T = TypeVar("T")
Handler = Callable[[Context, Any], Coroutine[Any, Any, None]]


def takes_context(
    handler: Callable[Concatenate[Context, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Interaction, P], Coroutine[Any, Any, T]]:
    """Adapts a handler of a Context, or one that suggests values to it, to discord.py, which passes an interaction.

    Its annotations are resolved where it was written, since discord.py would look them up here.
    """

    @wraps(handler)
    async def adapted(interaction: Interaction, /, *arguments: P.args, **options: P.kwargs) -> T:
        return await handler(Context.of(interaction), *arguments, **options)

    adapted.__signature__ = inspect.signature(handler, eval_str=True)  # type: ignore[attr-defined]
    return adapted


def context_menu(words: Words, key: str) -> Callable[[Handler], app_commands.ContextMenu]:
    """Makes a command of a context menu, named `menu.KEY`, of a handler of a Context and of a user or a message."""

    def make(handler: Handler) -> app_commands.ContextMenu:
        name = composed(words, lambda words: words(f"menu.{key}"))
        return app_commands.ContextMenu(name=name, callback=takes_context(handler))

    return make
