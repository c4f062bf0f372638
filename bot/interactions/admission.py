"""Admission: what is too much is turned away before anything is made of it; every other request is logged and counted
before a handler runs, and may be refused."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.context import Context, Services
from bot.interactions.errors import texts_in, written_down
from bot.request import Interaction
from bot.telemetry import logs
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.words.words import Words

Json = dict[str, Any]

MOVE_COMMAND = "move"
MOVES = {
    discord.InteractionType.component.value: (ids.STEP, ids.PLAY),
    discord.InteractionType.modal_submit.value: (ids.POINT,),
}
"""The buttons that play a move, or lead to one that leaves nothing to decide, and the forms that do."""


def take_in(
    services: Services, sent: Json, parse: Callable[[Json], object], retry: Callable[[Json, Words], Any]
) -> None:
    """Has discord.py `parse` an interaction now or in a moment, or turns it away at once.

    The place that it holds ends with the task of its handler, which `admit` runs in. `retry` returns the buttons below
    what a form is told that was turned away.
    """
    if sent["type"] == discord.InteractionType.autocomplete.value:
        if services.intake.is_crowded:
            services.answers.suggest_nothing(sent)
        else:
            parse(sent)
        return
    key, user = int(sent["id"]), UserId(int((sent.get("member") or sent)["user"]["id"]))
    services.intake.offer(key, user, partial(parse, sent), partial(_turn_away, services, sent, user, retry))


def _turn_away(services: Services, sent: Json, user: UserId, retry: Callable[[Json, Words], Any], why: Reason) -> None:
    """Tells a player that nothing was done, and what was typed into a form."""
    data, words = sent.get("data") or {}, services.locales.at_hand(user, sent.get("locale"))
    played = (form.pattern.fullmatch(data.get("custom_id", "")) for form in MOVES.get(sent["type"], ()))
    is_move = data.get("name") == MOVE_COMMAND or any(played)
    crowded = "refused.crowded_move" if is_move else "refused.crowded"
    sentence = words("refused.too_fast", count=1) if why is Reason.TOO_FAST else words(crowded)
    if sent["type"] != discord.InteractionType.modal_submit.value:
        services.answers.tell(sent, f"⚠️ {sentence}")
        return
    typed = written_down(texts_in(data))
    services.answers.tell(sent, "\n".join(filter(None, (f"⚠️ {sentence}", typed))), retry(sent, words))


def is_component(interaction: Interaction, kind: discord.ComponentType) -> bool:
    """Returns whether the interaction is from a component of that type."""
    data: Any = interaction.data or {}
    return bool(data.get("component_type") == kind.value)


async def refuse_forged(ctx: Context, components: Iterable[type[Any]]) -> None:
    """Refuses a component that no message of the bot has: discord.py ignores such an interaction.

    `components` are the classes that answer its custom id; its type has to match, too, and its message has to have it.
    """
    if any(is_component(ctx.interaction, each.kind) for each in components) and _is_on_message(ctx.interaction):
        return
    if await admit(ctx):
        await errors.reply_error(ctx, Refused(Reason.OLD_BUTTON))


def _is_on_message(interaction: Interaction) -> bool:
    data: Any = interaction.data or {}
    waiting: list[Any] = list(interaction.message.components) if interaction.message else []
    while waiting:
        part = waiting.pop()
        waiting += [*getattr(part, "children", ()), *filter(None, (getattr(part, "accessory", None),))]
        if getattr(part, "custom_id", None) == data.get("custom_id") and is_component(interaction, part.type):
            return True
    return False


MAX_TYPED = 100
"""Characters of a typed text that still gets suggestions; none is longer."""


def _typed_text(data: Any) -> str:
    """Returns what a player has typed so far of the option that asks for suggestions."""
    options: list[Any] = list((data or {}).get("options") or ())
    while options:
        option = options.pop()
        if option.get("focused"):
            return str(option.get("value", ""))
        options += option.get("options") or ()
    return ""


async def admit(ctx: Context) -> bool:
    """Returns whether a handler may take the interaction; if not, the player was told why.

    Every command, component and form calls it first, so it runs in the handler's own task.
    """
    logs.bind_interaction(ctx.interaction.id)
    ctx.services.intake.leave_with_task(ctx.interaction.id)
    if ctx.interaction.type is discord.InteractionType.autocomplete:
        if ctx.services.gate.allows_suggestion(ctx.request) and len(_typed_text(ctx.interaction.data)) <= MAX_TYPED:
            return True
        await ctx.interaction.response.autocomplete([])
        return False
    ctx.services.metrics.interaction_started(ctx.interaction)
    try:
        ctx.services.gate.admit(ctx.request)
    except Refused as refused:
        await errors.reply_error(ctx, refused)
        return False
    return True
