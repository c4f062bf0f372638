"""The arena of all servers: its message in channels that follow it, its buttons, and where a server chooses the
channel."""

from bot.features.competitions.publisher import CompetitionPublisher
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import ChannelField, chosen_id
from bot.interactions.layout import Control, Part, Section, button, link_button, row
from bot.services.channels import Post
from play.competitions.arena import Arena, Follower
from play.ids import ChannelId, MessageId, Millis
from presentation.arenas import arena_text, short_text
from presentation.words.words import Words


class ArenaButton(Component, id=ids.ARENA):
    """Lets a player join the arena, with boards where it is pressed, or pause."""

    way: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        words = await ctx.words()
        if self.way == "pause":
            await ctx.use_cases.arenas.pause(ctx.user)
        else:
            guild = await permissions.require_place_for_strangers(ctx)
            await ctx.use_cases.arenas.join(ctx.user, guild, ctx.channel, ctx.at)
        again = [each for each in _buttons(words) if self.way not in str(each.custom_id)]
        await ctx.show([words("arena.left" if self.way == "pause" else "arena.joined"), again])


async def arena_section(ctx: Context, words: Words) -> list[Part]:
    """Returns the arena that goes on or gathers, for a panel; nothing without one."""
    arena = await ctx.use_cases.arenas.newest()
    if arena is None or not arena.stage.is_open:
        return []
    way = "pause" if ctx.user in arena.present else "join"
    return [Section(short_text(arena, ctx.at, words), ArenaButton.make(words(f"arena.button.{way}"), way=way))]


def _buttons(words: Words) -> list[Control]:
    return [button(ids.ARENA(way=way), words(f"arena.button.{way}")) for way in ("join", "pause")]


class ArenaPublisher(CompetitionPublisher):
    """Implements use_cases.competitions.arena_posts.ArenaDisplay."""

    async def show(self, follower: Follower, arena: Arena, now: Millis) -> MessageId:
        """See use_cases.competitions.arena_posts.ArenaDisplay."""
        words = await self._locales.for_guild(follower.guild)
        names = dict(zip(arena.users, await self._names.of_all(arena.users, None), strict=True))
        links = [] if self._links is None else [link_button(words("arena.button.page"), self._links.arena)]
        buttons = row(*(_buttons(words) if arena.stage.is_open else []), *links)
        post = Post(arena_text(arena, names, now, words), buttons)
        nonce = f"arena:{follower.message or arena.id:x}"
        return await self._posts.keep(follower.guild, follower.channel, follower.message, nonce, post)


class ArenaChannel(ChannelField, id=ids.ARENA_CHANNEL):
    """The select of the channel that follows the arenas; no channel means none."""

    async def parts(self, ctx: Context) -> list[Part]:
        guild, chosen = (await permissions.require_manage_server(ctx)).id, chosen_id(ctx)
        channel = None if chosen is None else ChannelId(chosen)
        if channel is not None:
            await permissions.require_visible(ctx, channel)
        await ctx.use_cases.arenas.follow(guild, channel, ctx.user)
        return await arena_panel(ctx)


class ArenaPlace(PanelItem, id=ids.ARENA_PLACE):
    """Opens the panel in which a manager chooses the channel."""

    async def parts(self, ctx: Context) -> list[Part]:
        return await arena_panel(ctx)


async def arena_panel(ctx: Context) -> list[Part]:
    """Returns the panel. Raises Refused for players who may not manage the server."""
    guild = (await permissions.require_manage_server(ctx)).id
    words, follower = await ctx.words(), await ctx.use_cases.arenas.follower(guild)
    state = words("arena.panel.none" if follower is None else "arena.panel.is", channel=_channel(follower, words))
    text = f"### {words('arena.panel.title')}\n{words('arena.panel.about')}\n\n{state}"
    chosen = [None if follower is None else follower.channel]
    back = button(ids.SERVER(way="shown"), words("button.back"))
    return [text, [ArenaChannel.showing(chosen, words("arena.panel.channel"))], [back]]


def _channel(follower: Follower | None, words: Words) -> str:
    return "" if follower is None else words.channel(follower.channel)


BUTTONS: tuple[type[Component], ...] = (ArenaButton, ArenaChannel, ArenaPlace)
