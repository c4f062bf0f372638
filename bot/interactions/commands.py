"""Slash commands whose handlers take a context."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.interactions.context import Context
from bot.request import Interaction

P = ParamSpec("P")
T = TypeVar("T")


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
