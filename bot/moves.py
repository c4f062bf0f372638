"""A move by a command or a form: one use case, and a private line that says what came of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bot import errors
from bot.answers import acknowledge, privately
from bot.buttons import TypePoint, row
from bot.names import escaped
from bot.request import Request, link
from play.ids import MatchId
from play.refused import Refused
from play.tables import Here
from rules.game import RuleError

if TYPE_CHECKING:
    from bot.client import Interaction
    from play.tables import Table

LINK_WITHIN = 3.0
"""Seconds that the private line waits for the new board, so that it can link to it."""

_FORM = re.compile(r"match:(?P<match>\d+):(?P<version>\d+):point")


async def submitted(interaction: Interaction) -> None:
    """*Type a point* was filled in. A form, like a button, may be older than this process, so its id says it all."""
    data: Any = interaction.data
    try:
        await acknowledge(interaction)
        form = _FORM.fullmatch(data["custom_id"])
        if form is None:
            raise Refused("old_button")
        typed = data["components"][0]["component"]["value"]
        await played(interaction, MatchId(int(form["match"])), typed, int(form["version"]))
    except Exception as error:
        await errors.answer(interaction, error)


async def played(interaction: Interaction, table: Table, typed: str, version: int | None = None) -> None:
    """Plays what was typed for whoever asks, and tells him. The interaction is acknowledged already.

    With `version` (a form's), the move counts only if nothing has happened since.
    """
    client, words, request = interaction.client, interaction.client.words(interaction), Request.of(interaction)
    try:
        match = await client.tables.move(table, request.user, typed, request.at, request.source, version=version)
    except Refused as refused:
        form = None if version is None or isinstance(table, Here) else (table, version)
        sentence = await errors.explained(client, words, request, refused, form and form[0])
        by_rules = isinstance(refused.__cause__, RuleError)
        view = row(TypePoint(*form, words("button.again"))) if form and by_rules else row()
        await privately(interaction, f"{words('move.typed', typed=escaped(typed))} {sentence}", view=view)
        return
    move = next(event for event in match.events if event.source == request.source)
    board = await client.announcer.posted(match, within=LINK_WITHIN)
    line = words("move.done", move=move.text)
    if board is not None:
        line = f"{line} {words('board.newest', url=link(match.guild, match.channel, board))}"
    await privately(interaction, line)
