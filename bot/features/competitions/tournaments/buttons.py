"""The buttons of a tournament's message and what they ask: joining, leaving, terms, and the removal of a player."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import discord

from bot.features.match.button import show_line
from bot.features.terms.drafts import TermsBasis, TermsTarget
from bot.features.terms.terms_panel import terms_panel
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.components import Component, Confirmation, PanelItem, Question, confirm
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Control, Part, row, select
from bot.interactions.permissions import require_bot_installed
from bot.markup import escape
from bot.services.discord_errors import describe
from bot.services.messages import mentions_of
from play.challenge.terms import Terms
from play.competitions.tournament import MISSED_ROUND, Stage, Tournament, TournamentId
from play.ids import UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.text import plain_name
from presentation.tournaments import MAX_NAME
from presentation.words.words import Words

log = logging.getLogger(__name__)

MENU_SIZE = 25
"""Players in one menu; Discord's limit."""


@dataclass(frozen=True, slots=True)
class TournamentTerms(TermsTarget):
    """The terms of all games of a tournament."""

    kind: ClassVar[str] = "tournament"
    tournament: TournamentId

    def __str__(self) -> str:
        return f"t{self.tournament}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = re.fullmatch(r"t(\d{1,15})", text)
        return cls(TournamentId(int(found[1]))) if found else None

    async def basis(self, ctx: Context) -> TermsBasis:
        tournament = await ctx.use_cases.tournaments.load(self.tournament)
        require_host(ctx, tournament)
        return TermsBasis(tournament.terms, tournament.host, seats=2, ordered=False)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        await self.basis(ctx)
        await ctx.use_cases.tournaments.change(self.tournament, ctx.user, lambda stored: replace(stored, terms=terms))
        words = await ctx.words()
        return [words("terms.saved")]


def require_own_server(ctx: Context, tournament: Tournament) -> None:
    """Raises Refused (`tournament_elsewhere`) unless the interaction comes from the tournament's server.

    Discord's permissions and the server's settings are those of the place where the player is.
    """
    if ctx.guild != tournament.guild:
        raise Refused(Reason.TOURNAMENT_ELSEWHERE)


def require_host(ctx: Context, tournament: Tournament) -> None:
    """Raises Refused unless the player is the host or may manage messages on the tournament's server.

    Its reasons are `tournament_elsewhere` and `not_your_tournament`.
    """
    require_own_server(ctx, tournament)
    if ctx.user != tournament.host and not permissions.may_host(ctx):
        raise Refused(Reason.NOT_YOUR_TOURNAMENT)


class ConfirmWithdrawal(Confirmation, id=ids.CONFIRM_WITHDRAWAL):
    """Withdraws the player from a tournament that has begun."""

    tournament: TournamentId

    async def carry_out(self, ctx: Context) -> list[Part]:
        withdrawn = await ctx.use_cases.tournaments.withdraw(self.tournament, ctx.user, ctx.at)
        words = await ctx.words()
        return [words("tournament.withdrawn", name=escaped_name(withdrawn))]


class ConfirmCancellation(Confirmation, id=ids.CONFIRM_CANCELLATION):
    """Cancels a tournament for its host."""

    tournament: TournamentId

    async def carry_out(self, ctx: Context) -> list[Part]:
        require_host(ctx, await ctx.use_cases.tournaments.load(self.tournament))
        await ctx.use_cases.tournaments.cancel(self.tournament, ctx.user)
        words = await ctx.words()
        return [words("tournament.cancelled")]


async def withdraw(ctx: Context, number: TournamentId) -> None:
    """Takes the player off the list or, once the tournament has begun, asks whether they want to withdraw.

    The interaction is acknowledged. Raises Refused.
    """
    tournament = await ctx.use_cases.tournaments.load(number)
    words = await ctx.words()
    if tournament.stage is not Stage.RUNNING:
        await ctx.use_cases.tournaments.cancel_sign_up(number, ctx.user)
        await show_line(ctx, words("tournament.signed_off", name=escaped_name(tournament)))
        return
    if ctx.user not in tournament.playing:
        raise Refused(Reason.TOURNAMENT_NOT_IN)
    lines = [words("tournament.withdraw.ask", name=escaped_name(tournament))]
    if matches := await load_running_matches(ctx, tournament, ctx.user):
        threads = " ".join(words.channel(match.channel) for match in matches)
        lines.append(words("tournament.withdraw.game", thread=threads))
    sure = ConfirmWithdrawal.make(words("tournament.button.withdraw"), tournament=number)
    await confirm(ctx, "\n".join(lines), sure)


async def ask_to_cancel(ctx: Context, number: TournamentId) -> None:
    """Asks the host whether the tournament is to be cancelled. The interaction is acknowledged. Raises Refused."""
    tournament = await ctx.use_cases.tournaments.load(number)
    require_host(ctx, tournament)
    if tournament.stage not in (Stage.SIGN_UP, Stage.RUNNING):
        raise Refused(Reason.TOURNAMENT_OVER)
    words = await ctx.words()
    text = words(f"tournament.cancel.ask.{tournament.stage}", name=escaped_name(tournament))
    await confirm(ctx, text, ConfirmCancellation.make(words("tournament.cancel.sure"), tournament=number))


async def load_running_matches(ctx: Context, tournament: Tournament, user: UserId) -> list[Match]:
    """Returns the games of the present round that the player has not finished: one, or in an exhibition each board of
    the host."""
    own = [
        pair.match
        for pair in tournament.current_pairings
        if pair.points is None and pair.match is not None and user in (pair.first, pair.second)
    ]
    return [match for match in [await ctx.load_match(number) for number in own] if not match.outcome]


def escaped_name(tournament: Tournament) -> str:
    return escape(plain_name(tournament.name, MAX_NAME))


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
            tournament = await ctx.use_cases.tournaments.remove(self.tournament, self.user, ctx.user)
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
        if not (self.way == "expel" and permissions.may_host(ctx)):
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
        if permissions.may_host(ctx) and not is_player:
            lines.append(words("tournament.remove.game.end"))
            buttons.append(RemovePlayer.to(tournament, user, words, ends_game=True))
    return Question("\n".join(lines), None, (*buttons, ListPlayers.to(tournament, words))).parts


async def _tell_channel(ctx: Context, tournament: Tournament, user: UserId) -> None:
    """Mentions the removed player, since an edit of the tournament's message notifies nobody."""
    if user <= 0:
        return
    words = await ctx.services.locales.for_guild(tournament.guild)
    content = words("tournament.removed.told", player=f"<@{user}>", name=escaped_name(tournament))
    await _tell(ctx, tournament, f"t{tournament.id}:x{user:x}", content, user)


async def _tell(
    ctx: Context,
    tournament: Tournament,
    once: str,
    content: str,
    user: UserId,
    buttons: discord.ui.View | None = None,
) -> bool:
    """Tells a player in the channel what became of them; returns False if that was not possible: the table says it,
    too."""
    message = {"content": content, "view": buttons, "allowed_mentions": mentions_of([user])}
    try:
        await ctx.services.channels.post(tournament.channel, lambda: message, once, guild=tournament.guild)
    except discord.HTTPException as error:
        log.info("a player of tournament %d is not told: %s", tournament.id, describe(error))
        return False
    return True


async def _load_hosted(ctx: Context, number: TournamentId) -> Tournament:
    """Returns a tournament that goes on, and that the user may run. Raises Refused."""
    require_bot_installed(ctx)
    tournament = await ctx.use_cases.tournaments.load(number)
    require_host(ctx, tournament)
    if tournament.stage not in (Stage.SIGN_UP, Stage.RUNNING):
        raise Refused(Reason.TOURNAMENT_OVER)
    return tournament


class TournamentButton(Component):
    """A button of a tournament: `tournament:12:join`."""

    tournament: TournamentId

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await self.act(ctx)

    async def act(self, ctx: Context) -> None:
        """Does what the button says, and answers. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


class Join(TournamentButton, id=ids.JOIN):
    style = discord.ButtonStyle.success

    async def act(self, ctx: Context) -> None:
        require_own_server(ctx, await ctx.use_cases.tournaments.load(self.tournament))
        await permissions.require_player(ctx)
        entered = await ctx.use_cases.tournaments.sign_up(self.tournament, ctx.user)
        words = await ctx.words()
        late = entered.late_entrants.get(ctx.user)
        if late is None:
            await show_line(ctx, words("tournament.joined"))
            return
        points = words.number(MISSED_ROUND * entered.missed_rounds(ctx.user))
        await show_line(ctx, words("tournament.joined.late", round=late, points=points))


class Withdraw(TournamentButton, id=ids.WITHDRAW):
    async def act(self, ctx: Context) -> None:
        await withdraw(ctx, self.tournament)


class Begin(TournamentButton, id=ids.BEGIN):
    style = discord.ButtonStyle.primary

    async def act(self, ctx: Context) -> None:
        await begin(ctx, self.tournament)


class Arrive(TournamentButton, id=ids.HERE):
    style = discord.ButtonStyle.success

    async def act(self, ctx: Context) -> None:
        await ctx.use_cases.tournaments.arrive(self.tournament, ctx.user)
        words = await ctx.words()
        await show_line(ctx, words("tournament.here"))


class ChangeTerms(TournamentButton, id=ids.TOURNAMENT_TERMS):
    async def act(self, ctx: Context) -> None:
        await show_terms(ctx, self.tournament)


async def show_terms(ctx: Context, number: TournamentId) -> None:
    """Shows the host the terms of the games to come. Raises Refused."""
    tournament = await _load_hosted(ctx, number)
    await ctx.show(await terms_panel(ctx, TournamentTerms(tournament.id), tournament.terms))


async def add_player(ctx: Context, number: TournamentId, player: discord.User | discord.Member) -> None:
    """Signs a member up for the host, and tells them in the channel. The interaction is acknowledged. Raises
    Refused."""
    tournament = await _load_hosted(ctx, number)
    roles = [role.id for role in player.roles] if isinstance(player, discord.Member) else None
    if player.bot or roles is None or not (await permissions.server_settings(ctx)).allows_roles(frozenset(roles)):
        raise Refused(Reason.TOURNAMENT_NOT_ADDED)
    user = UserId(player.id)
    ctx.services.names.remember(player, ctx.guild)
    await ctx.use_cases.tournaments.sign_up(number, user, ctx.user)
    words = await ctx.services.locales.for_guild(tournament.guild)
    content = words("tournament.added.told", player=f"<@{user}>", host=f"<@{ctx.user}>", name=escaped_name(tournament))
    leave = Withdraw.make(words("tournament.button.withdraw"), tournament=number)
    told = await _tell(ctx, tournament, f"t{number}:a{ctx.key:x}", content, user, row(leave))
    own = await ctx.words()
    player_name = escape(await ctx.services.names.of(user, tournament.guild))
    await show_line(ctx, own("tournament.added" if told else "tournament.added.silent", player=player_name))


async def pair_by_hand(ctx: Context, number: TournamentId, first: UserId, second: UserId) -> None:
    """Has two players meet in the next round for the host, or takes that back. The interaction is acknowledged. Raises
    Refused."""
    await _load_hosted(ctx, number)
    tournament = await ctx.use_cases.tournaments.wish(number, ctx.user, first, second)
    words = await ctx.words()
    names = [escape(name) for name in await ctx.services.names.of_all([first, second], tournament.guild)]
    key = "tournament.paired" if (first, second) in tournament.wishes else "tournament.unpaired"
    await show_line(ctx, words(key, first=names[0], second=names[1]))


def here_button(tournament: Tournament, words: Words) -> Arrive:
    """Returns the button by which players say, before the beginning, that they are there."""
    return Arrive.make(words("tournament.button.here"), tournament=tournament.id)


def tournament_buttons(tournament: Tournament, words: Words, links: Sequence[Control] = ()) -> discord.ui.View:
    """Returns the buttons of a tournament's message at its present stage, and `links` to its page."""
    join, leave, begins, change = (
        Join.make(words("tournament.button.join"), tournament=tournament.id),
        Withdraw.make(words("tournament.button.withdraw"), tournament=tournament.id),
        Begin.make(words("tournament.button.begin"), tournament=tournament.id),
        ChangeTerms.make(words("terms.change"), tournament=tournament.id),
    )
    if tournament.stage is Stage.SIGN_UP:
        here = [here_button(tournament, words)] if tournament.is_checking_in else []
        return row(*here, join, leave, begins, change, *links)
    if tournament.stage is Stage.RUNNING:
        return row(*([join] if tournament.entry_round is not None else []), leave, *links)
    return row(*links)


async def begin(ctx: Context, tournament: TournamentId) -> None:
    """Begins the tournament for its host. The interaction is acknowledged. Raises Refused."""
    stored = await ctx.use_cases.tournaments.load(tournament)
    require_host(ctx, stored)
    left = await ctx.services.rights.left(stored.guild, stored.users)
    await ctx.use_cases.tournaments.begin(tournament, ctx.at, left, ctx.user)
    words = await ctx.words()
    await show_line(ctx, words("tournament.begun"))


BUTTONS: tuple[type[Component], ...] = (
    ConfirmWithdrawal,
    ConfirmCancellation,
    ListPlayers,
    PickPlayer,
    RemovePlayer,
    Join,
    Withdraw,
    Begin,
    Arrive,
    ChangeTerms,
)
