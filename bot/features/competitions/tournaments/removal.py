"""The removal of a player from a tournament by its host or a moderator, who chooses in a private panel and is asked."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Self

import discord

from bot.features.competitions.tournaments.leaving import escaped_name, load_running_matches
from bot.features.competitions.tournaments.terms import require_host
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.permissions import require_bot_installed
from bot.interactions.questions import Confirmation, Question
from bot.interactions.selects import Choice, select
from bot.services.discord_errors import describe
from bot.services.mentions import mentions_of
from play.competitions.tournament import Stage, Tournament, TournamentId
from play.ids import UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.text import escape
from presentation.words.words import Words

log = logging.getLogger(__name__)

MENU_SIZE = 25
"""Players in one menu; Discord's limit."""


class ListPlayers(PanelItem, id=ids.TOURNAMENT_PLAYERS):
    """Goes back to the list."""

    tournament: TournamentId

    @classmethod
    def to(cls, tournament: Tournament, words: Words) -> Self:
        return cls.make(words("button.back"), tournament=tournament.id)

    async def parts(self, ctx: Context) -> list[Part]:
        return await players_panel(ctx, self.tournament)


class PickPlayer(PanelItem, id=ids.PICK_PLAYER):
    """A menu of players, of whom one is to be removed."""

    kind = discord.ComponentType.string_select
    tournament: TournamentId

    async def parts(self, ctx: Context) -> list[Part]:
        chosen = "".join(self.item.values)
        if not chosen.removeprefix("-").isdecimal():
            raise Refused(Reason.OLD_BUTTON)
        return await _question(ctx, self.tournament, UserId(int(chosen)))


class RemovePlayer(Confirmation, id=ids.REMOVE_PLAYER):
    """Removes the player; *expel* ends the game that they play, too."""

    tournament: TournamentId
    way: str
    user: UserId

    @classmethod
    def to(cls, tournament: Tournament, user: UserId, words: Words, *, ends_game: bool = False) -> Self:
        label = words("tournament.remove.end" if ends_game else "tournament.remove.sure")
        return cls.make(label, tournament=tournament.id, way="expel" if ends_game else "remove", user=user)

    async def carry_out(self, ctx: Context) -> list[Part]:
        """Removes the player, tells the channel, and returns what the host reads."""
        before = await _load_hosted(ctx, self.tournament)
        words = await ctx.words()
        back = ListPlayers.to(before, words)
        try:
            tournament = await ctx.use_cases.tournaments.remove(self.tournament, self.user, ctx.user, ctx.at)
        except Refused as refused:
            return [f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}", [back]]
        player = escape(await ctx.services.names.of(self.user, tournament.guild))
        lines = [words("tournament.removed", player=player)]
        for match in await load_running_matches(ctx, tournament, self.user):
            settled = await self._settle_game(ctx, match, words)
            if settled not in lines:
                lines.append(settled)
        await _tell_channel(ctx, tournament, self.user)
        return ["\n".join(lines), [back]]

    async def _settle_game(self, ctx: Context, match: Match, words: Words) -> str:
        """Ends the running game of the removed player if a moderator wants that; returns what becomes of it."""
        if not (self.way == "expel" and ctx.interaction.permissions.manage_messages):
            return words("tournament.removed.goes_on")
        try:
            await ctx.use_cases.moderation.end_against(match, ctx.user, ctx.guild, self.user, ctx.at)
        except Refused as refused:
            reason = await errors.explain(ctx.services, words, ctx.request, refused)
            return f"{words('tournament.removed.goes_on')} {reason}"
        return words("tournament.removed.ended")


async def players_panel(ctx: Context, number: TournamentId) -> list[Part]:
    """Returns the panel in which the host chooses a player. Raises Refused."""
    tournament = await _load_hosted(ctx, number)
    words = await ctx.words()
    names = await ctx.services.names.of_all(tournament.playing, tournament.guild)
    title = words("tournament.remove.title", name=escaped_name(tournament))
    about = words(f"tournament.remove.about.{tournament.stage}") if names else words("tournament.no_entrants")
    return [f"### {title}\n{about}", *([menu] for menu in _menus(tournament, names, words))]


def _menus(tournament: Tournament, names: Sequence[str], words: Words) -> list[PickPlayer]:
    choices = [Choice(str(user), name, chosen=False) for user, name in zip(tournament.playing, names, strict=True)]
    hint = words("tournament.remove.hint")
    return [
        PickPlayer(
            select(ids.PICK_PLAYER(tournament=tournament.id, menu=menu), hint, choices[start : start + MENU_SIZE])
        )
        for menu, start in enumerate(range(0, len(choices), MENU_SIZE))
    ]


async def _question(ctx: Context, number: TournamentId, user: UserId) -> list[Part]:
    """Asks whether the player is to be removed, and what becomes of their game. Raises Refused."""
    tournament = await _load_hosted(ctx, number)
    if user not in tournament.playing:
        raise Refused(Reason.TOURNAMENT_NOT_PLAYING)
    words = await ctx.words()
    player = escape(await ctx.services.names.of(user, tournament.guild))
    lines = [words(f"tournament.remove.ask.{tournament.stage}", player=player)]
    buttons = [RemovePlayer.to(tournament, user, words)]
    matches = await load_running_matches(ctx, tournament, user)
    if matches:
        threads = " ".join(words.channel(match.channel) for match in matches)
        lines.append(words("tournament.remove.game", thread=threads))
        is_player = any(ctx.user in match.players for match in matches)
        if ctx.interaction.permissions.manage_messages and not is_player:
            lines.append(words("tournament.remove.game.end"))
            buttons.append(RemovePlayer.to(tournament, user, words, ends_game=True))
    return Question("\n".join(lines), None, (*buttons, ListPlayers.to(tournament, words))).parts


async def _tell_channel(ctx: Context, tournament: Tournament, user: UserId) -> None:
    """Mentions the removed player, since an edit of the tournament's message notifies nobody."""
    if user <= 0:
        return
    words = await ctx.services.locales.for_guild(tournament.guild)
    content = words("tournament.removed.told", player=f"<@{user}>", name=escaped_name(tournament))
    message = {"content": content, "allowed_mentions": mentions_of([user])}
    once = f"t{tournament.id}:x{user:x}"
    try:
        await ctx.services.channels.post(tournament.channel, lambda: message, once, guild=tournament.guild)
    except discord.HTTPException as error:  # the table says it, too
        log.info("nobody is told who was removed from tournament %d: %s", tournament.id, describe(error))


async def _load_hosted(ctx: Context, number: TournamentId) -> Tournament:
    """Returns a tournament that goes on, and that the user may run. Raises Refused."""
    require_bot_installed(ctx)
    tournament = await ctx.use_cases.tournaments.load(number)
    require_host(ctx, tournament)
    if tournament.stage not in (Stage.SIGN_UP, Stage.RUNNING):
        raise Refused(Reason.TOURNAMENT_OVER)
    return tournament


ITEMS: tuple[type[Component], ...] = (ListPlayers, PickPlayer, RemovePlayer)
