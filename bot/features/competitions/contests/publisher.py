"""Publishes contests of two servers: on each a message with sign-up, pairs and results, the calls, and notices.

Nothing that goes to one server has a channel, a message, a moderator or an account of the other: its players are names.
"""

from __future__ import annotations

import logging

from bot.features.competitions.contests.buttons import team_buttons
from bot.features.competitions.contests.naming import player_names, server_names
from bot.features.competitions.publisher import CompetitionPublisher, join_fitting
from bot.services.server_posts import Picture, Post
from play.competitions.contest import Board, Contest, Side
from play.ids import MessageId, Millis, UserId, is_person
from presentation.contests import ContestView
from presentation.text import escape

log = logging.getLogger(__name__)


class ContestPublisher(CompetitionPublisher):
    """Implements use_cases.competitions.contest_director.ContestDisplay."""

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
        view, team = await self._view(contest, side), contest.team(side)
        key, _, proposed = notice.partition(":")
        if key == "proposed":
            text = view.proposal(Millis(int(proposed)))
        else:
            text = view.verdict() if key == "ended" else view.words(f"team.cancelled.{contest.cause}")
            if contest.guest is not None:
                text = f"**{view.servers[0]} – {view.servers[1]}**\n{text}"
        if is_person(team.manager):
            text += f" <@{team.manager}>"
        # No version: one of two processes may have a newer one.
        nonce = f"k{contest.id}:{side}:n{notice[:2]}{int(proposed or 0):x}"
        await self._posts.post(team.guild, team.channel, nonce, Post(text, pinged=[team.manager]))

    async def _view(self, contest: Contest, side: Side) -> ContestView:
        words = await self._locales.for_guild(contest.team(side).guild)
        home, guest = await server_names(self._names, contest, words)
        players = await player_names(self._names, contest)
        async with self._store.read() as reader:
            channels = await reader.contests.channels_of(contest.id, side)
        escaped = {number: escape(name) for number, name in players.items()}
        return ContestView(contest, side, (escape(home), escape(guest)), escaped, channels, words)

    async def _draw(self, contest: Contest, side: Side) -> Picture | None:
        """Returns the picture of the boards; None before there are pairs. Raises RetryLater."""
        if not any(board.players for board in contest.boards):
            return None
        guild = contest.team(side).guild
        words = await self._locales.for_guild(guild)
        servers, players = await server_names(self._names, contest, words), await player_names(self._names, contest)
        plain = ContestView(contest, side, servers, players, {}, words)
        alt = words("team.alt", home=servers[0], guest=servers[1])
        return await self._picture(await self._server(guild), f"kropka-servers-{contest.id}", alt, plain.draw)
