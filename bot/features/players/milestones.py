"""A player's milestones: a line when they reach one, and a private panel with the card of each, to be shared."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.components import Audience, Component, PanelItem, ShareButton, can_share
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Control, Part, button, picture_file, select
from play.community.milestone import Milestone
from play.ids import Millis
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.words.words import Words
from renderer.milestone import Medal, draw_milestone
from renderer.theme import PAPER, THEMES
from storage.errors import Unavailable

log = logging.getLogger(__name__)


def milestone_text(milestone: Milestone, words: Words) -> str:
    """Returns what a player has reached, as a title: `100 games finished`."""
    return _say("of", milestone, words)


def medal(milestone: Milestone, name: str, at: Millis, words: Words) -> Medal:
    """Returns the words of a card: the number, and what it counts."""
    number = words.number(milestone.number)
    return Medal(number, _say("card", milestone, words), name, words.date(at))


def _say(where: str, milestone: Milestone, words: Words) -> str:
    key = f"milestone.{where}.{milestone.kind}"
    return words(key, count=milestone.number) if milestone.is_count else words(key)


class ShowMilestone(PanelItem, id=ids.MILESTONE):
    """Shows the card of a milestone."""

    milestone: Milestone

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await _panel(ctx, self.milestone)


class ShowMilestones(PanelItem, id=ids.MILESTONES):
    """Opens the panel with the latest milestone."""

    emoji = "🏅"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        reached = await ctx.use_cases.milestones.of_user(ctx.user)
        if not reached:
            return [(await ctx.words())("milestone.none")]
        return await _panel(ctx, [*reached][-1])


class ChooseMilestone(PanelItem, id=ids.CHOOSE_MILESTONE):
    """The select of another milestone."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> Sequence[Part]:
        try:
            return await _panel(ctx, Milestone("".join(self.item.values)))
        except ValueError:
            raise Refused(Reason.OLD_BUTTON) from None


class ShareMilestone(ShareButton, id=ids.SHARE_MILESTONE):
    """Posts the card of a milestone of the player who presses."""

    milestone: Milestone

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        reached = await ctx.use_cases.milestones.of_user(ctx.user)
        if self.milestone not in reached:
            raise Refused(Reason.NOTHING_TO_SHARE)
        return [await _card(ctx, self.milestone, reached, members)]


async def _panel(ctx: Context, milestone: Milestone) -> list[Part]:
    """Returns the panel with the card of a milestone. Raises Refused (`old_button`) for one that was not reached."""
    audience, reached = await Audience.reader(ctx), await ctx.use_cases.milestones.of_user(ctx.user)
    if milestone not in reached:
        raise Refused(Reason.OLD_BUTTON)
    words = audience.words
    parts: list[Part] = [await _card(ctx, milestone, reached, audience)]
    if len(reached) > 1:
        choices = [Choice(each.value, milestone_text(each, words), each is milestone) for each in reached]
        parts.append([ChooseMilestone(select(ids.CHOOSE_MILESTONE(), words("milestone.choose"), choices))])
    if can_share(ctx):
        parts.append([ShareMilestone.make(words("share.button"), milestone=milestone.value)])
    return parts


async def _card(ctx: Context, milestone: Milestone, reached: Mapping[Milestone, Millis], audience: Audience) -> Part:
    words, at = audience.words, reached[milestone]
    name = await ctx.services.names.of(ctx.user, ctx.guild)
    theme = THEMES.get(audience.theme, PAPER)
    own = medal(milestone, name, at, words)
    png = await ctx.services.jobs.pictures.make(ctx.user, draw_milestone, own, words("milestone.someone"), theme)
    alt = words("milestone.alt", name=name, milestone=milestone_text(milestone, words), date=words.date(at))
    return picture_file(png, f"kropka-{milestone.value}", alt)


BUTTONS: tuple[type[Component], ...] = (ShowMilestone, ShowMilestones, ChooseMilestone, ShareMilestone)


async def milestone_parts(ctx: Context) -> list[Part]:
    """Returns what to tell the player of what they have reached since the last look, with the buttons of the cards;
    nothing if there is nothing new, or they want none."""
    with suppress(Refused):
        found = await ctx.use_cases.milestones.notice(ctx.user, ctx.services.names.own_id)
        if found:
            words = await ctx.words()
            lines = [words("milestone.reached", milestone=milestone_text(each, words)) for each in found]
            cards: list[Control] = [
                button(ids.MILESTONE(milestone=each.value), f"🏅 {milestone_text(each, words)}"[:80]) for each in found
            ]
            return ["\n".join([*lines, words("milestone.private")]), cards]
    return []


async def tell_milestones(ctx: Context, match: Match) -> None:
    """Tells a player of a game that is over what they have reached, below the answer to what they did, where only they
    see it. What they did counts, whatever becomes of this."""
    if match.outcome is None or ctx.user not in match.players:
        return
    try:
        if parts := await milestone_parts(ctx):
            await ctx.reply_parts(parts)
    except (discord.HTTPException, Unavailable) as error:
        log.info("user %d is not told of a milestone: %s", ctx.user, error)
