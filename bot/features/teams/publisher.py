"""Publishes contests of two servers: on each a message with sign-up, pairs and results, the calls, and notices.

Nothing that goes to one server has a channel, a message, a moderator or an account of the other: its players are names.
"""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.features.teams.buttons import team_buttons
from bot.features.teams.naming import player_names, server_names
from bot.features.tournaments.publisher import join_fitting, posting_problem
from bot.interactions.permissions import BOARD_PERMISSIONS, THREAD_PERMISSIONS, permission_names
from bot.interactions.pictures import picture_file
from bot.services.direct_messages import DirectMessages
from bot.services.discord_errors import ErrorCode, describe, is_final, send_plainest
from bot.services.guild_directory import GuildDirectory
from bot.services.locales import Locales
from bot.services.mentions import mentions_of
from bot.services.names import Names
from bot.services.text_limits import fit
from play.ids import MessageId, Millis, is_person
from play.refusal import Refused
from play.store import Store
from play.teams.contest import Board, Contest, Side
from play.workers.tournament_director import Unshowable
from play.workers.worker import RetryLater
from presentation.teams import ContestView
from presentation.text import escape
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES

log = logging.getLogger(__name__)


class TeamPublisher:
    """Implements play.workers.team_director.TeamDisplay."""

    def __init__(
        self, directory: GuildDirectory, store: Store, locales: Locales, names: Names, direct: DirectMessages
    ) -> None:
        self._directory = directory
        self._store = store
        self._locales = locales
        self._names = names
        self._direct = direct

    async def show(self, contest: Contest, side: Side) -> MessageId:
        """See play.workers.team_director.TeamDisplay."""
        view, png = await self._view(contest, side), await self._draw(contest, side)
        content, buttons = join_fitting(view.lines(), view.words), team_buttons(contest, view.words)
        channel, old = await self._channel(contest, side), contest.team(side).message
        forms = dict.fromkeys([png, None])
        if old is not None:
            there = channel.get_partial_message(old)

            async def edit(picture: bytes | None) -> None:
                pictures = await self._files(contest, side, picture, view.words)
                await there.edit(content=fit(content), view=buttons, attachments=pictures)

            try:
                await send_plainest(edit, forms)
            except discord.HTTPException as error:
                if error.code != ErrorCode.UNKNOWN_MESSAGE:
                    raise posting_problem(error) from error
            else:
                return old

        async def send(picture: bytes | None) -> discord.Message:
            pictures = await self._files(contest, side, picture, view.words)
            nonce = f"k{contest.id}:{side}:{old or 0:x}"  # at most 25 characters; a new one after a lost message
            return await channel.send(fit(content), view=buttons, nonce=nonce, files=pictures, allowed_mentions=NOBODY)

        try:
            message = await send_plainest(send, forms)
        except discord.HTTPException as error:
            raise posting_problem(error) from error
        return MessageId(message.id)

    async def call(self, contest: Contest, board: Board, side: Side) -> MessageId:
        """See play.workers.team_director.TeamDisplay."""
        view = await self._view(contest, side)
        own, pings = "", NOBODY
        if board.players is not None:
            player = contest.users_of(board)[side]
            own = f"<@{player}>" if is_person(player) else f"**{view.players[board.players[side]]}**"
            pings = mentions_of([player] if is_person(player) else [])
        plain = view.words("team.call.plain", number=board.number)
        nonce = f"k{contest.id}:{side}:{board.number}:{board.tries}"
        channel = await self._channel(contest, side)

        async def send(text: str) -> MessageId:
            return MessageId((await channel.send(fit(text), nonce=nonce, allowed_mentions=pings)).id)

        try:
            return await send_plainest(send, [view.call(board, own), plain])
        except discord.HTTPException as error:
            problem = posting_problem(error)
            raise (RetryLater(describe(error)) if isinstance(problem, Unshowable) else problem) from error

    async def tell(self, contest: Contest, side: Side, notice: str) -> None:
        """See play.workers.team_director.TeamDisplay."""
        view = await self._view(contest, side)
        key, _, proposed = notice.partition(":")
        if key == "proposed":
            text = view.proposal(Millis(int(proposed)))
        else:
            text = view.verdict() if key == "ended" else view.words(f"team.cancelled.{contest.cause}")
            if contest.guest is not None:
                text = f"**{view.servers[0]} – {view.servers[1]}**\n{text}"
        manager = contest.team(side).manager
        pings = [manager] if is_person(manager) else []
        text += "".join(f" <@{user}>" for user in pings)
        # No version: one of two processes may have a newer one.
        nonce = f"k{contest.id}:{side}:n{notice[:2]}{int(proposed or 0):x}"
        channel = await self._channel(contest, side)
        try:
            await channel.send(fit(text), nonce=nonce, allowed_mentions=mentions_of(pings))
        except discord.HTTPException as error:
            raise posting_problem(error) from error

    async def warn_manager(self, contest: Contest, side: Side) -> None:
        """See play.workers.team_director.TeamDisplay."""
        team = contest.team(side)
        if not is_person(team.manager):  # their data is deleted
            return
        words = await self._locales.for_user(team.manager, team.guild)
        needed = permission_names([*BOARD_PERMISSIONS, *THREAD_PERMISSIONS], words)
        content = words("team.closed", channel=f"<#{team.channel}>", permissions=needed)
        try:
            await self._direct.send(team.manager, content=content, nonce=f"k{contest.id}:{side}:c{contest.version}")
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("the manager of a side of contest %d reads nothing of it: %s", contest.id, describe(error))

    async def _view(self, contest: Contest, side: Side) -> ContestView:
        words = await self._locales.for_guild(contest.team(side).guild)
        home, guest = await server_names(self._names, contest, words)
        players = await player_names(self._names, contest)
        async with self._store.read() as reader:
            channels = await reader.teams.channels_of(contest.id, side)
        escaped = {number: escape(name) for number, name in players.items()}
        return ContestView(contest, side, (escape(home), escape(guest)), escaped, channels, words)

    async def _channel(self, contest: Contest, side: Side) -> discord.PartialMessageable:
        """Returns the channel of a side. Raises Undeliverable if its server has it no longer."""
        team = contest.team(side)
        try:
            return await self._directory.messageable(team.guild, team.channel)
        except discord.HTTPException as error:
            raise posting_problem(error) from error

    async def _draw(self, contest: Contest, side: Side) -> bytes | None:
        """Returns the picture of the boards; None before there are pairs. Raises RetryLater."""
        if not any(board.players for board in contest.boards):
            return None
        guild = contest.team(side).guild
        words = await self._locales.for_guild(guild)
        servers, players = await server_names(self._names, contest, words), await player_names(self._names, contest)
        async with self._store.read() as reader:
            theme = (await reader.servers.get(guild)).theme
        plain = ContestView(contest, side, servers, players, {}, words)
        try:
            return await asyncio.to_thread(plain.draw, THEMES.get(theme, PAPER))
        except Refused as busy:
            raise RetryLater(busy.key) from busy

    async def _files(self, contest: Contest, side: Side, png: bytes | None, words: Words) -> list[discord.File]:
        """Returns the picture as a file, made anew each time, since sending uses it up."""
        if png is None:
            return []
        home, guest = await server_names(self._names, contest, words)
        return [picture_file(png, f"kropka-servers-{contest.id}", words("team.alt", home=home, guest=guest))]


NOBODY = mentions_of(())
