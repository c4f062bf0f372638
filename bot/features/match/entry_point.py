"""The entry-point command of the Activity. Discord runs it itself, and refuses lists of commands that lack it."""

from __future__ import annotations

from typing import Any, Final

from discord import app_commands

from bot.i18n.words import Words
from bot.request import Interaction
from play.refusal import Reason, Refused

PRIMARY_ENTRY_POINT: Final = 4
DISCORD_LAUNCH_ACTIVITY: Final = 2


class EntryPoint(app_commands.Command[Any, Any, None]):
    """A command that discord.py tells Discord with the others, though it has no class for its type."""

    def to_dict(self, tree: app_commands.CommandTree[Any]) -> dict[str, Any]:
        return {**super().to_dict(tree), "type": PRIMARY_ENTRY_POINT, "handler": DISCORD_LAUNCH_ACTIVITY}


def commands(words: Words) -> tuple[EntryPoint]:
    """Returns the command, described in `words`."""

    async def launch(_: Interaction) -> None:
        raise Refused(Reason.OLD_BUTTON)  # Discord sends no interaction for it

    return (EntryPoint(name="launch", description=words("command.launch"), callback=launch),)
