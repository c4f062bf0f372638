"""The ladder of a server: who stands where, and how somebody is challenged for his place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.challenges.terms_text import settings
from bot.interactions.context import Context
from bot.request import link
from bot.services.names import escape
from play.community.ladder import IDLE, REACH
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from play.ids import GuildId, UserId

MAX_PLACES = 30
"""Places that are shown."""

DAY = 86_400_000


async def show_ladder(ctx: Context) -> None:
    """Shows the ladder of the server. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    ladder = await ctx.services.ladders.load(require_guild(ctx))
    names = await ctx.services.names.of_all(ladder.users[:MAX_PLACES], ladder.guild)
    lines = [words("ladder.title")]
    lines += (f"- {line}" for key, line in settings(ladder.terms, "", words).items() if key != "order")
    for place, (user, name) in enumerate(zip(ladder.users, names, strict=False), start=1):
        busy = ladder.duel_of(user)
        lines.append(words("ladder.duel" if busy else "ladder.line", place=place, name=escape(name)))
    lines.append(words("ladder.rules", reach=REACH, days=IDLE // DAY))
    await ctx.reply("\n".join(lines))


async def challenge_for_place(ctx: Context, opponent: UserId) -> None:
    """Challenges somebody for his place. The interaction is acknowledged. Raises Refused."""
    here = await ctx.services.ladders.load(require_guild(ctx))
    ctx.services.gate.count_card(here.channel)
    challenge = await ctx.services.ladders.challenge(here.guild, ctx.user, opponent, ctx.at, ctx.key)
    message = await ctx.services.cards.post(challenge)
    words = await ctx.words()
    await ctx.reply(words("ladder.dared", url=link(challenge.guild, challenge.channel, message)))


def require_guild(ctx: Context) -> GuildId:
    """The server. Raises Refused outside of one."""
    here = ctx.guild
    if here is None:
        raise Refused(Reason.NO_SERVER_HERE)
    return here
