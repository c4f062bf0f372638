"""`/ladder`: the ladder of a server, its standing with buttons, and its terms."""

from collections.abc import Sequence
from typing import Self

import discord

from bot.addresses import link
from bot.features.competitions.publisher import CompetitionPublisher
from bot.features.terms.drafts import DefaultTermsTarget, TermsBasis
from bot.features.terms.terms_panel import OpenTerms
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.commands import Group, declare
from bot.interactions.components import Component, Confirmation, PanelItem, confirm, links_of, page_links
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Control, Part, row, select
from bot.markup import escape
from bot.services.channels import Post
from bot.services.messages import MAX_CONTENT
from bot.services.names import Names
from play.challenge.terms import Terms
from play.competitions.ladder import Ladder
from play.ids import MessageId, UserId
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from presentation.offered_rules import server_terms
from presentation.terms import MAX_PLACES, rules_lines
from presentation.words.words import Words
from use_cases.competitions.ladders import Target

MAX_MORE = 100
"""Characters that are kept free for how many players are not shown, and for a link."""


class LadderButton(Component):
    """A button for everybody on a server: `ladder:join`."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words(f"ladder.button.{cls.action}"))


class JoinLadder(LadderButton, id=ids.JOIN_LADDER):
    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await join(ctx)


class ChallengeOnLadder(LadderButton, id=ids.CHALLENGE_ON_LADDER):
    """Opens the menu of the players within reach."""

    style = discord.ButtonStyle.primary

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await permissions.require_player(ctx)
        await ctx.show(await _challenge_menu(ctx))


class LeaveLadder(LadderButton, id=ids.LEAVE_LADDER):
    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await leave(ctx)


class ConfirmLeaving(Confirmation, LadderButton, id=ids.CONFIRM_LEAVE):
    """Leaves the ladder."""

    async def carry_out(self, ctx: Context) -> list[Part]:
        await ctx.use_cases.ladders.leave(permissions.require_guild(ctx), ctx.user)
        words = await ctx.words()
        return [words("ladder.left")]


class PickTarget(PanelItem, id=ids.PICK_TARGET):
    """The menu of the players who can be challenged now."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        chosen = "".join(self.item.values)
        if not chosen.isdecimal():
            raise Refused(Reason.OLD_BUTTON)
        await permissions.require_player(ctx)
        try:
            return [await challenge_for_place(ctx, UserId(int(chosen)))]
        except Refused as refused:
            return await _refused_menu(ctx, refused)


async def join(ctx: Context) -> None:
    """Puts the player on the ladder, and says where. The interaction is acknowledged. Raises Refused."""
    await permissions.require_player(ctx)
    ladder = await ctx.use_cases.ladders.join(permissions.require_guild(ctx), ctx.user, ctx.at)
    words = await ctx.words()
    await ctx.reply(words("ladder.joined", place=ladder.place(ctx.user)))


async def leave(ctx: Context) -> None:
    """Says what leaving costs, and asks. The interaction is acknowledged. Raises Refused."""
    ladder = await ctx.use_cases.ladders.load(permissions.require_guild(ctx))
    words = await ctx.words()
    text = words("ladder.leave.ask", place=ladder.place(ctx.user))
    if ladder.duel_of(ctx.user):
        text += f" {words('ladder.leave.duel')}"
    await confirm(ctx, text, ConfirmLeaving.to(words))


async def challenge_for_place(ctx: Context, opponent: UserId) -> str:
    """Challenges the player of a higher place; returns what the challenger reads. Raises Refused."""
    here = await ctx.use_cases.ladders.load(permissions.require_guild(ctx))
    ctx.services.gate.count_card(here.channel)
    challenge = await ctx.use_cases.ladders.challenge(here.guild, ctx.user, opponent, ctx.at, ctx.key)
    message = await ctx.services.cards.post(challenge)
    words = await ctx.words()
    return words("ladder.challenged", url=link(challenge.guild, challenge.channel, message))


async def _challenge_menu(ctx: Context) -> list[Part]:
    """Returns the players within reach: those who can be challenged as a menu, the others with the reason."""
    guild = permissions.require_guild(ctx)
    targets = await ctx.use_cases.ladders.survey(guild, ctx.user)
    names = await ctx.services.names.of_all([target.user for target in targets], guild)
    words = await ctx.words()
    free = [
        Choice(str(target.user), words("ladder.choice", place=target.place, name=name), chosen=False)
        for target, name in zip(targets, names, strict=True)
        if target.obstacle is None
    ]
    lines = [words("ladder.menu" if free else "ladder.menu.none")]
    lines += [
        _obstacle_line(target, name, words)
        for target, name in zip(targets, names, strict=True)
        if target.obstacle is not None
    ]
    menu: list[Part] = [[PickTarget(select(ids.PICK_TARGET(), words("ladder.menu.hint"), free))]] if free else []
    return ["\n".join(lines), *menu]


def _obstacle_line(target: Target, name: str, words: Words) -> str:
    return f"- {words(f'ladder.obstacle.{target.obstacle}', place=target.place, name=escape(name))}"


async def _refused_menu(ctx: Context, refused: Refused) -> list[Part]:
    """Returns why a challenge was refused, above the menu as it is now if there is one."""
    words = await ctx.words()
    notice = f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}"
    try:
        return [notice, *await _challenge_menu(ctx)]
    except Refused:
        return [notice]


class LadderTerms(DefaultTermsTarget):
    """The terms of all challenges on the ladder."""

    kind = "ladder"

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis((await _ladder_to_change(ctx)).terms, ctx.user, seats=2, ordered=False)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        await ctx.use_cases.ladders.change_terms((await _ladder_to_change(ctx)).guild, ctx.user, terms)
        words = await ctx.words()
        return [words("terms.saved")]


class ChangeTerms(OpenTerms, id=ids.LADDER_TERMS):
    """Opens the panel with the terms of the ladder."""

    target = LadderTerms()


async def _ladder_to_change(ctx: Context) -> Ladder:
    """Returns the ladder of the server, for those who may change it. Raises Refused."""
    guild = permissions.require_guild(ctx)
    if not permissions.may_host(ctx):
        raise Refused(Reason.NOT_A_LADDER_MAKER)
    return await ctx.use_cases.ladders.load(guild)


async def standing_text(ladder: Ladder, names: Names, words: Words) -> str:
    """Returns the terms, the rules and the places from the top, as many as fit into a message."""
    lines = [words("ladder.title"), *rules_lines(ladder, words)]
    left = MAX_CONTENT - MAX_MORE - len("\n".join(lines))
    shown = 0
    for user, name in zip(ladder.present, await names.of_all(ladder.present[:MAX_PLACES], ladder.guild), strict=False):
        line = words("ladder.duel" if ladder.duel_of(user) else "ladder.line", place=shown + 1, name=escape(name))
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
        shown += 1
    if not ladder.present:
        lines.append(words("ladder.empty"))
    if more := len(ladder.present) - shown:
        lines.append(words("ladder.more", count=more))
    return "\n".join(lines)


def standing_buttons(words: Words, links: Sequence[Control], *, manages: bool = False) -> discord.ui.View:
    """Returns the buttons below the standing; those who may manage the ladder can change its terms in private."""
    change = [ChangeTerms.to(words)] if manages else []
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


async def create(ctx: Context) -> None:
    if not permissions.may_host(ctx):
        raise Refused(Reason.NOT_A_LADDER_MAKER)
    server = await permissions.require_threaded_channel(ctx)
    await ctx.use_cases.ladders.make(_new_ladder(ctx, server), ctx.user)
    await show(ctx)


async def preview(ctx: Context, words: Words) -> str:
    """Returns the ladder as it will be posted in this channel."""
    ladder = _new_ladder(ctx, await permissions.server_settings(ctx))
    return await standing_text(ladder, ctx.services.names, words)


def _new_ladder(ctx: Context, server: ServerSettings) -> Ladder:
    return Ladder(permissions.require_guild(ctx), ctx.channel, server_terms(server))


async def challenge(ctx: Context, opponent: discord.User) -> None:
    await permissions.require_player(ctx)
    ctx.services.names.remember(opponent, ctx.guild)
    await ctx.reply(await challenge_for_place(ctx, UserId(opponent.id)))


async def show(ctx: Context) -> None:
    """Shows the ladder of the server, and where it is posted. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    ladder = await ctx.use_cases.ladders.load(permissions.require_guild(ctx))
    text = await standing_text(ladder, ctx.services.names, words)
    if ladder.message is not None:
        text += f"\n{words('ladder.link', url=link(ladder.guild, ladder.channel, ladder.message))}"
    links = await page_links(ctx, words, lambda paths: paths.ladder(ladder.guild))
    await ctx.reply(text, view=standing_buttons(words, links, manages=permissions.may_host(ctx)))


COMMANDS = (
    Group("ladder", (*declare(create, for_managers=True), *declare(show, join, leave, challenge)), on_servers=True),
)

BUTTONS: tuple[type[Component], ...] = (
    *(JoinLadder, ChallengeOnLadder, LeaveLadder),
    *(ConfirmLeaving, PickTarget),
    ChangeTerms,
)
