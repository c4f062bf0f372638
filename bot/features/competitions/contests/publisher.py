"""Publishes contests of two servers: on each a message with sign-up, pairs and results, its buttons, and notices.

Nothing that goes to one server has a channel, a message, a moderator or an account of the other: its players are names.
"""

import logging

import discord

from bot.features.competitions.publisher import CompetitionPublisher, join_fitting
from bot.features.match.button import show_line
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, Confirmation, confirm
from bot.interactions.context import Context
from bot.interactions.layout import Part, row
from bot.markup import escape
from bot.services.channels import Picture, Post, ServerPosts
from bot.services.discord_errors import describe, is_final
from bot.services.locales import Locales
from bot.services.messages import DirectMessages
from bot.services.names import Names
from play.competitions.contest import Board, Contest, ContestId, PlayerNumber, Side, Stage
from play.ids import GuildId, MessageId, Millis, UserId, is_person
from play.refusal import Reason, Refused
from presentation.contests import ContestView
from presentation.words.words import Words
from storage import Database
from use_cases.competitions.contests import load_length
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)

Servers = tuple[str, str]


async def server_name(names: Names, guild: GuildId, words: Words) -> str:
    """Returns the plain name of a server, or that it is one, where Discord does not tell it."""
    return await names.of_server(guild) or words("team.server")


async def server_names(names: Names, contest: Contest, words: Words) -> Servers:
    """Returns the plain names of both servers."""
    if contest.guest is None:
        return await server_name(names, contest.home.guild, words), words("team.server")
    home, guest = [await server_name(names, contest.team(side).guild, words) for side in Side]
    return home, guest


async def player_names(names: Names, contest: Contest) -> dict[PlayerNumber, str]:
    """Returns the plain names of all players, each by that on their own server."""
    return {
        number: await names.of(player.user, contest.team(side).guild)
        for side in contest.sides
        for number, player in contest.of_side(side)
    }


class JoinTeam(Component, id=ids.JOIN_TEAM):
    """Signs the player up for the server where they press it."""

    contest: ContestId
    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        contest = await ctx.use_cases.contests.load(self.contest)
        contest.require_side(permissions.installed_guild(ctx))
        await permissions.require_player(ctx)
        await ctx.use_cases.contests.sign_up(self.contest, ctx.request.member, ctx.at)
        words = await ctx.words()
        await show_line(ctx, words("team.joined", name=await own_name(ctx, words)))


class LeaveTeam(Component, id=ids.LEAVE_TEAM):
    """Takes the player off the list or, once the games have begun, asks whether they want to leave."""

    contest: ContestId

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        contest = await ctx.use_cases.contests.load(self.contest)
        contest.require_side(permissions.installed_guild(ctx))
        words = await ctx.words()
        name = await own_name(ctx, words)
        if contest.stage is not Stage.RUNNING:
            await ctx.use_cases.contests.cancel_sign_up(self.contest, ctx.user)
            await show_line(ctx, words("team.signed_off", name=name))
            return
        if contest.number_of(ctx.user) is None:
            raise Refused(Reason.TEAM_NOT_IN)
        sure = ConfirmLeaving.make(words("team.button.leave"), contest=self.contest)
        await confirm(ctx, words("team.leave.ask", name=name), sure)


class ConfirmLeaving(Confirmation, id=ids.CONFIRM_LEAVING_TEAM):
    """Takes the player out of the team: a substitute plays their game if it is not under way."""

    contest: ContestId

    async def carry_out(self, ctx: Context) -> list[Part]:
        contest = await ctx.use_cases.contests.load(self.contest)
        contest.require_side(permissions.installed_guild(ctx))
        await ctx.use_cases.contests.leave(self.contest, ctx.user)
        words = await ctx.words()
        return [words("team.left", name=await own_name(ctx, words))]


class BeginTeam(Component, id=ids.BEGIN_TEAM):
    """Asks a manager of either server whether the games begin now that both sides are full."""

    contest: ContestId

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await permissions.require_manage_server(ctx)
        words = await ctx.words()
        sure = ConfirmTeamBegin.make(words("team.button.begin"), contest=self.contest)
        await confirm(ctx, words("team.begin.ask"), sure)


class ConfirmTeamBegin(Confirmation, id=ids.CONFIRM_TEAM_BEGIN):
    """Begins the games on both servers."""

    contest: ContestId

    async def carry_out(self, ctx: Context) -> list[Part]:
        await permissions.require_manage_server(ctx)
        await ctx.use_cases.contests.begin_early(self.contest, ctx.guild, ctx.user, ctx.at)
        words = await ctx.words()
        return [words("team.begun")]


def team_buttons(contest: Contest, words: Words) -> discord.ui.View:
    """Returns the buttons of a contest's message at its present stage."""
    join = JoinTeam.make(words("team.button.join"), contest=contest.id)
    leave = LeaveTeam.make(words("team.button.leave"), contest=contest.id)
    if contest.stage is Stage.SIGN_UP:
        begin = [BeginTeam.make(words("team.button.begin"), contest=contest.id)] if contest.is_full else []
        return row(join, leave, *begin)
    return row(leave) if contest.stage is Stage.RUNNING and contest.players else row()


async def own_name(ctx: Context, words: Words) -> str:
    """Returns the escaped name of the server where the interaction comes from."""
    assert ctx.guild is not None, "a server takes part"
    return escape(await server_name(ctx.services.names, ctx.guild, words))


BUTTONS: tuple[type[Component], ...] = (JoinTeam, LeaveTeam, ConfirmLeaving, BeginTeam, ConfirmTeamBegin)


class ContestPublisher(CompetitionPublisher):
    """Implements use_cases.competitions.contest_director.ContestDisplay."""

    def __init__(
        self, posts: ServerPosts, store: Database, locales: Locales, names: Names, direct: DirectMessages
    ) -> None:
        super().__init__(posts, store, locales, names)
        self._direct = direct

    async def show(self, contest: Contest, side: Side) -> MessageId:
        """See use_cases.competitions.contest_director.ContestDisplay."""
        view, team = await self._view(contest, side), contest.team(side)
        content, buttons = join_fitting(view.lines(), view.words), team_buttons(contest, view.words)
        post = Post(content, buttons, await self._draw(contest, side))
        nonce = f"k{contest.id}:{side}:{team.message or 0:x}"
        return await self._posts.keep(team.guild, team.channel, team.message, nonce, post)

    async def call(self, contest: Contest, board: Board, side: Side) -> MessageId:
        """See use_cases.competitions.contest_director.ContestDisplay."""
        view, team = await self._view(contest, side), contest.team(side)
        own, pinged = "", list[UserId]()
        if board.players is not None:
            player = contest.users_of(board)[side]
            own = f"<@{player}>" if is_person(player) else f"**{view.players[board.players[side]]}**"
            pinged.append(player)
        plain = view.words("team.call.plain", number=board.number)
        posts = [Post(each, pinged=pinged) for each in (view.call(board, own), plain)]
        nonce = f"k{contest.id}:{side}:{board.number}:{board.tries}"
        return await self._posts.call(team.guild, team.channel, nonce, *posts)

    async def tell(self, contest: Contest, side: Side, notice: str) -> None:
        """See use_cases.competitions.contest_director.ContestDisplay."""
        if contest.guest is None:  # nobody but the manager knows of it
            await self._tell_manager(contest)
            return
        view, team = await self._view(contest, side), contest.team(side)
        key, _, proposed = notice.partition(":")
        told = [team.manager]
        if key == "proposed":
            text = view.proposal(Millis(int(proposed)))
        elif key == "ended":
            text = f"{view.score()}\n{view.verdict()}"
        else:
            cause = view.words(f"team.cancelled.{contest.cause}")
            text = f"**{view.servers[0]} – {view.servers[1]}**\n{cause}"
        if key != "proposed":
            told = [*contest.post(side).players] or told
        text = " ".join((text, *(f"<@{user}>" for user in told if is_person(user))))
        # No version: one of two processes may have a newer one.
        nonce = f"k{contest.id}:{side}:n{notice[:2]}{int(proposed or 0):x}"
        await self._posts.post(team.guild, team.channel, nonce, Post(text, pinged=told))

    async def _tell_manager(self, contest: Contest) -> None:
        """Tells the manager in private what has become of a code. Raises RetryLater."""
        team = contest.home
        words = await self._locales.for_user(team.manager, team.guild)
        content = words(f"team.cancelled.{contest.cause}")
        try:
            await self._direct.send(team.manager, content=content, nonce=f"k{contest.id}:{contest.cause}")
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("contest %d, its manager reads of its end in the list alone: %s", contest.id, describe(error))

    async def _view(self, contest: Contest, side: Side) -> ContestView:
        words = await self._locales.for_guild(contest.team(side).guild)
        home, guest = await server_names(self._names, contest, words)
        players = await player_names(self._names, contest)
        async with self._store.read() as reader:
            channels = await reader.contests.channels_of(contest.id, side)
            length, now = await load_length(reader, contest), await reader.clock.now()
        escaped = {number: escape(name) for number, name in players.items()}
        return ContestView(contest, side, (escape(home), escape(guest)), escaped, channels, words, now, length)

    async def _draw(self, contest: Contest, side: Side) -> Picture | None:
        """Returns the picture of the boards; None before there are pairs. Raises RetryLater."""
        if not any(board.players for board in contest.boards):
            return None
        guild = contest.team(side).guild
        words = await self._locales.for_guild(guild)
        servers, players = await server_names(self._names, contest, words), await player_names(self._names, contest)
        plain = ContestView(contest, side, servers, players, {}, words, contest.made)
        alt = words("team.alt", home=servers[0], guest=servers[1])
        return await self._picture(await self._server(guild), f"kropka-servers-{contest.id}", alt, plain.draw)
