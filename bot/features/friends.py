"""Games with a friend who shares no server: the panel that gives a code, and the question of who gives it back."""

from bot.features.strangers import wanted_terms
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, Section, button
from play.clock import Speed
from play.codes import read_code
from play.community.seek import Seek, SeekId, SeekState
from play.refusal import Reason, Refused
from presentation.strangers import terms_details, wanted
from presentation.words.words import Words


class OpenFriends(PanelItem, id=ids.FRIENDS):
    """Opens the panel."""

    async def parts(self, ctx: Context) -> list[Part]:
        return await _panel(ctx)


class Invite(PanelItem, id=ids.INVITE):
    """Offers a friend a game, and shows its code, this once."""

    speed: str

    async def parts(self, ctx: Context) -> list[Part]:
        guild = await permissions.require_place_for_strangers(ctx)
        terms, words = await wanted_terms(ctx, Speed(self.speed)), await ctx.words()
        invitation = await ctx.use_cases.friends.invite(ctx.user, guild, ctx.channel, terms)
        links = ctx.services.web_links
        by_link: list[Part] = [words("friend.link", url=links.friend(invitation.code))] if links is not None else []
        return [words("friend.code", code=invitation.code), *by_link, *await _panel(ctx)]


class WithdrawInvitation(PanelItem, id=ids.WITHDRAW_INVITATION):
    """Withdraws the offer."""

    seek: SeekId

    async def parts(self, ctx: Context) -> list[Part]:
        await ctx.use_cases.friends.withdraw(self.seek, ctx.user)
        return [(await ctx.words())("friend.withdrawn"), *await _panel(ctx)]


class AcceptInvitation(PanelItem, id=ids.ACCEPT_INVITATION):
    """Takes what a code offers."""

    code: str

    async def parts(self, ctx: Context) -> list[Part]:
        ctx.services.gate.count_code(ctx.user, ctx.guild)
        guild = await permissions.require_place_for_strangers(ctx)
        await ctx.use_cases.friends.accept(ctx.user, self.code, guild, ctx.channel)
        return [(await ctx.words())("friend.taken")]


async def show_invitation(ctx: Context, typed: str) -> None:
    """Shows who offers a game by a code, by the name that they have chosen, and on which terms. Each try counts. Raises
    Refused."""
    ctx.services.gate.count_code(ctx.user, ctx.guild)
    letters = read_code(typed)
    if letters is None:
        raise Refused(Reason.NO_FRIEND_CODE)
    offered, words = await ctx.use_cases.friends.look_up(ctx.user, letters), await ctx.words()
    name = words.literal(await ctx.services.names.of(offered.user, None))
    accept = AcceptInvitation.make(words("button.accept"), code=letters)
    await ctx.show([words("friend.ask", name=name, **terms_details(offered, words)), [accept]])


async def _panel(ctx: Context) -> list[Part]:
    """Returns the offer that waits for a friend, or the buttons that make one."""
    words, offered = await ctx.words(), await ctx.use_cases.friends.of_user(ctx.user)
    back = button(ids.PLAY_PANEL(flexible=1), words("button.back"))
    if offered is None:
        ways: list[Control] = [Invite.make(words(f"seek.button.{speed}"), speed=speed) for speed in Speed]
        return [words("friend.about"), ways, [back]]
    return [words("friend.about"), _offer(offered, words), [back]]


def _offer(offered: Seek, words: Words) -> Part:
    if offered.state is not SeekState.OFFERED or offered.ends is None:
        return words("seek.found")
    text = words("friend.waits", rules=wanted(offered, words), when=words.moment(offered.ends))
    return Section(text, WithdrawInvitation.make(words("button.withdraw"), seek=offered.id))


BUTTONS: tuple[type[Component], ...] = (OpenFriends, Invite, WithdrawInvitation, AcceptInvitation)
