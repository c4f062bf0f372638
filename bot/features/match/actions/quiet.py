"""A match that does not ping one of its players."""

from __future__ import annotations

from typing import Self

from bot.features.match.button import MATCH, MatchButton
from bot.i18n.words import Words
from bot.interactions.context import Context
from play.match.match import Match


class Quiet(MatchButton, template=rf"{MATCH}:quiet:(?P<argument>[01])"):
    """Ends the pings and reminders of a match for the player who clicks (1), or lets them begin again (0)."""

    action = "quiet"

    @classmethod
    def of(cls, match: Match, words: Words, *, is_quiet: bool) -> Self:
        """Returns the button that changes what holds now."""
        label = words("button.loud" if is_quiet else "button.quiet")
        return cls(match.id, match.version, label, str(int(not is_quiet)))

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        quiet = self.argument == "1"
        await ctx.services.actions.set_quiet(self.match, ctx.user, quiet=quiet)
        words = await ctx.words()
        await self.refresh_panel(ctx, words("quiet.on" if quiet else "quiet.off"))
