"""The standing of a ladder: in its channel, where it is kept up to date, and in private."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.features.competitions.ladder.buttons import ChallengeOnLadder, JoinLadder, LeaveLadder
from bot.features.competitions.ladder.terms import ChangeTerms
from bot.features.competitions.publisher import CompetitionPublisher
from bot.interactions.buttons import row
from bot.interactions.layout import Control
from bot.interactions.page_links import links_of
from bot.services.names import Names
from bot.services.server_posts import Post
from bot.services.text_limits import MAX_CONTENT
from play.competitions.ladder import Ladder
from play.ids import MessageId
from presentation.ladder import MAX_PLACES, rules_lines
from presentation.text import escape
from presentation.words.words import Words

MAX_MORE = 100
"""Characters that are kept free for how many players are not shown, and for a link."""


async def standing_text(ladder: Ladder, names: Names, words: Words) -> str:
    """Returns the terms, the rules and the places from the top, as many as fit into a message."""
    lines = [words("ladder.title"), *rules_lines(ladder, words)]
    left = MAX_CONTENT - MAX_MORE - len("\n".join(lines))
    shown = 0
    for user, name in zip(ladder.users, await names.of_all(ladder.users[:MAX_PLACES], ladder.guild), strict=False):
        line = words("ladder.duel" if ladder.duel_of(user) else "ladder.line", place=shown + 1, name=escape(name))
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
        shown += 1
    if not ladder.rungs:
        lines.append(words("ladder.empty"))
    if more := len(ladder.rungs) - shown:
        lines.append(words("ladder.more", count=more))
    return "\n".join(lines)


def standing_buttons(words: Words, links: Sequence[Control], *, manages: bool = False) -> discord.ui.View:
    """Returns the buttons below the standing; those who may manage the ladder can change its terms in private."""
    change = [ChangeTerms.make(words("terms.change"))] if manages else []
    return row(JoinLadder.to(words), ChallengeOnLadder.to(words), LeaveLadder.to(words), *change, *links)


class LadderStanding(CompetitionPublisher):
    """Implements use_cases.competitions.ladder_refresher.LadderDisplay."""

    async def show(self, ladder: Ladder) -> MessageId:
        """See use_cases.competitions.ladder_refresher.LadderDisplay."""
        words = await self._locales.for_guild(ladder.guild)
        content = await standing_text(ladder, self._names, words)
        server = await self._server(ladder.guild)
        links = links_of(self._links, server, words, lambda paths: paths.ladder(ladder.guild))
        nonce = f"ladder:{ladder.message or ladder.guild:x}"
        post = Post(content, standing_buttons(words, links))
        return await self._posts.keep(ladder.guild, ladder.channel, ladder.message, nonce, post)
