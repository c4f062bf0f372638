"""A tournament in a channel: its message with sign-up, pairs and standings, and the call to each game."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, ClassVar, Self

import discord

from bot.features.challenges.terms_text import settings
from bot.features.match.actions.prompts import show_line
from bot.interactions import permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item, row
from bot.interactions.context import Context
from bot.request import link
from bot.services.locales import Locales
from bot.services.names import Names, escape, plain_name
from bot.services.text_limits import fit
from play.ids import MessageId
from play.refusal import Refused
from play.tournaments.tournament import Format, Stage, Tournament, TournamentId
from play.workers.outbox_relay import Undeliverable

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.tournaments.tournament import Bout

MAX_STANDINGS = 16
"""Lines of the standings in the message."""

UNKNOWN_MESSAGE = 10008

MAX_NAME = 60
"""Characters of a tournament's name."""

MAX_TEXT = 1900
"""Characters; a message holds 2000."""


class TournamentButton(GatedItem, discord.ui.DynamicItem[Item], template=r"(?!)"):
    """`tournament:12:join`."""

    action: ClassVar[str]
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, tournament: TournamentId, label: str | None) -> None:
        custom_id = f"tournament:{tournament}:{self.action}"
        super().__init__(discord.ui.Button(label=label, style=self.style, custom_id=custom_id))
        self.tournament = tournament

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(TournamentId(int(match["tournament"])), item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await self.decided(ctx)

    async def decided(self, ctx: Context) -> None:
        raise NotImplementedError


class Join(TournamentButton, template=r"tournament:(?P<tournament>\d{1,15}):join"):
    action = "join"
    style = discord.ButtonStyle.success

    async def decided(self, ctx: Context) -> None:
        of_its_server(ctx, await ctx.services.tournaments.find(self.tournament))
        await permissions.require_player(ctx)
        await ctx.services.tournaments.sign_up(self.tournament, ctx.user)
        words = await ctx.words()
        await show_line(ctx, words("tournament.joined"))


class Withdraw(TournamentButton, template=r"tournament:(?P<tournament>\d{1,15}):withdraw"):
    action = "withdraw"

    async def decided(self, ctx: Context) -> None:
        await withdraw(ctx, self.tournament)


class Begin(TournamentButton, template=r"tournament:(?P<tournament>\d{1,15}):begin"):
    action = "begin"
    style = discord.ButtonStyle.primary

    async def decided(self, ctx: Context) -> None:
        await begin(ctx, self.tournament)


async def withdraw(ctx: Context, tournament: TournamentId) -> None:
    """The person withdraws. The interaction is acknowledged. Raises Refused."""
    await ctx.services.tournaments.withdraw(tournament, ctx.user, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("tournament.withdrawn"))


async def begin(ctx: Context, tournament: TournamentId) -> None:
    """The host begins it. The interaction is acknowledged. Raises Refused."""
    hosts(ctx, await ctx.services.tournaments.find(tournament))
    await ctx.services.tournaments.begin(tournament, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("tournament.begun"))


async def cancel(ctx: Context, tournament: TournamentId) -> None:
    """The host calls it off. The interaction is acknowledged. Raises Refused."""
    hosts(ctx, await ctx.services.tournaments.find(tournament))
    await ctx.services.tournaments.cancel(tournament)
    words = await ctx.words()
    await show_line(ctx, words("tournament.cancelled"))


def of_its_server(ctx: Context, tournament: Tournament) -> None:
    """Raises Refused (`tournament_elsewhere`) unless the interaction comes from the tournament's server: what the
    person may do, Discord and the settings say of where they are."""
    if ctx.guild != tournament.guild:
        raise Refused("tournament_elsewhere")


def hosts(ctx: Context, tournament: Tournament) -> None:
    """Raises Refused (`tournament_elsewhere`, `not_your_tournament`) for everybody but its host, and those who may
    manage messages on the server that it belongs to."""
    of_its_server(ctx, tournament)
    if ctx.user != tournament.host and not ctx.interaction.permissions.manage_messages:
        raise Refused("not_your_tournament")


class TournamentPublisher:
    """Implements play.workers.tournament_director.Scene."""

    def __init__(self, client: discord.Client, locales: Locales, names: Names) -> None:
        self._client = client
        self._locales = locales
        self._names = names

    async def show(self, tournament: Tournament) -> MessageId:
        """See play.workers.tournament_director.Scene."""
        words = await self._locales.for_guild(tournament.guild)
        content, buttons = await self._told(tournament, words), _buttons(tournament, words)
        channel = self._client.get_partial_messageable(tournament.channel)
        if tournament.message is not None:
            try:
                await channel.get_partial_message(tournament.message).edit(content=fit(content), view=buttons)
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise Undeliverable(str(error)) from error
            else:
                return tournament.message
        nonce = f"t{tournament.id}:{tournament.message or 0:x}"  # 25 characters at most; one for each lost message
        try:
            message = await channel.send(fit(content), view=buttons, nonce=nonce)
        except discord.NotFound as error:
            raise Undeliverable(str(error)) from error
        if message.content != content:  # a try whose answer was lost, before something else became of the tournament
            await message.edit(content=fit(content), view=buttons)
        return MessageId(message.id)

    async def call(self, tournament: Tournament, bout: Bout) -> MessageId:
        """See play.workers.tournament_director.Scene."""
        words = await self._locales.for_guild(tournament.guild)
        assert bout.second is not None, "nobody is called to a free round"
        names = await self._names.of_all((bout.first, bout.second), tournament.guild)
        called = words(
            "tournament.call",
            name=escape(plain_name(tournament.name, MAX_NAME)),
            round=bout.round,
            first=escape(names[0]),
            second=escape(names[1]),
        )
        nonce = f"t{tournament.id}:{bout.round}:{tournament.present.index(bout)}:{bout.replays}"
        channel = self._client.get_partial_messageable(tournament.channel)
        try:
            return MessageId((await channel.send(fit(called), nonce=nonce)).id)
        except discord.NotFound as error:
            raise Undeliverable(str(error)) from error

    async def _told(self, tournament: Tournament, words: Words) -> str:
        """The text of the message, whatever the stage."""
        names = dict(
            zip(
                tournament.users,
                map(escape, await self._names.of_all(tournament.users, tournament.guild)),
                strict=True,
            )
        )
        lines = [words("tournament.title", name=escape(plain_name(tournament.name, MAX_NAME)))]
        kind = words(f"tournament.format.{tournament.format}")
        swiss = tournament.format is Format.SWISS
        lines.append(words("tournament.swiss", format=kind, rounds=tournament.rounds) if swiss else kind)
        lines += (f"- {line}" for key, line in settings(tournament.terms, "", words).items() if key != "order")
        if tournament.pace is not None:
            lines.append(words("tournament.pace", pace=words.duration(tournament.pace)))
        host = f"<@{tournament.host}>"
        lines.append(words(f"tournament.stage.{tournament.stage}", round=tournament.round, host=host))
        if tournament.until is not None:
            lines.append(words("tournament.until", when=f"<t:{tournament.until // 1000}:R>"))
        if tournament.stage is Stage.SIGN_UP:
            lines.append(words("tournament.entrants", count=len(names), names=", ".join(names.values())))
        elif tournament.bouts:
            lines += _standings(tournament, names, words)
            lines += [_pair(tournament, bout, names, words) for bout in tournament.present]
        return _fitting(lines, words)


def _standings(tournament: Tournament, names: dict[Any, str], words: Words) -> list[str]:
    return [
        words(
            "tournament.line" if row.user in tournament.playing else "tournament.line.left",
            place=row.place,
            name=names[row.user],
            points=words.number(row.points),
            buchholz=words.number(row.buchholz),
            berger=words.number(row.sonneborn_berger),
        )
        for row in tournament.table[:MAX_STANDINGS]
    ]


def _pair(tournament: Tournament, bout: Bout, names: dict[Any, str], words: Words) -> str:
    if bout.second is None:
        return words("tournament.free", first=names[bout.first])
    first, second = names[bout.first], names[bout.second]
    if bout.points is not None:
        result = ":".join(map(words.number, bout.points))
        return words("tournament.result", first=first, second=second, result=result)
    if tournament.stage is Stage.CANCELLED:
        return words("tournament.result", first=first, second=second, result="–")
    return words("tournament.pair", first=first, second=second)


def _fitting(lines: list[str], words: Words) -> str:
    """As many of the lines as a message holds."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(kept) + len(line) > MAX_TEXT:
            return "\n".join((*kept, words("tournament.more")))
        kept.append(line)
    return "\n".join(kept)


def _buttons(tournament: Tournament, words: Words) -> discord.ui.View:
    number = tournament.id
    if tournament.stage is Stage.SIGN_UP:
        return row(
            Join(number, words("tournament.button.join")),
            Withdraw(number, words("tournament.button.withdraw")),
            Begin(number, words("tournament.button.begin")),
        )
    return row(*([Withdraw(number, words("tournament.button.withdraw"))] if tournament.stage is Stage.RUNNING else []))


def url_of(tournament: Tournament) -> str:
    """The address of its message, or of its channel while there is none."""
    return link(tournament.guild, tournament.channel, tournament.message)


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Join, Withdraw, Begin)
