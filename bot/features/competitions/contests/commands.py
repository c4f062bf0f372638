"""`/team`: managers challenge another server by a code, accept and cancel; members read the table of the season."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.features.competitions.contests.publisher import own_name, server_name, server_names
from bot.features.terms.offered_rules import chosen_terms, name_rules, suggest_rules_of_two
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import Command, Group, declare
from bot.interactions.components import Component, Confirmation, PanelItem, Question, confirm, show_question
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.markup import escape
from bot.services.messages import mentions_of
from play.challenge.terms import Terms
from play.clock import parse_control
from play.codes import MAX_TYPED as MAX_CODE
from play.codes import digest_of, make_code, read_code
from play.competitions.contest import (
    CODE_MILLIS,
    DEFAULT_QUORUM,
    DEFAULT_WEEKS,
    MAX_BOARDS,
    MAX_MOVE_DAYS,
    MAX_SIGN_UP_DAYS,
    MAX_SIGNED_UP,
    MAX_WEEKS,
    MIN_BOARDS,
    MIN_SIGN_UP_DAYS,
    MIN_WEEKS,
    Contest,
    ContestId,
    Kind,
    Side,
    Stage,
    Team,
)
from play.competitions.contest_season import SeasonRow
from play.ids import DAY, GuildId, Millis, UserId
from play.ratings.leaderboard import Season
from play.refusal import Reason, Refused
from play.votes import MAX_QUORUM, read_period
from presentation.contests import length_line, offer_lines, season_lines, status_line
from presentation.leaderboards import name_season
from presentation.typed import typed_time
from presentation.words.words import Words

MAX_ROWS = 20
"""Servers in the table, and the reader's own below them."""

MAX_TYPED = 30
"""Characters of a typed size."""

USUAL_DAYS, USUAL_SIGN_UP_DAYS = 3, 7
"""Days for each move, and of the sign-up, without another wish."""


async def require_manager(ctx: Context) -> GuildId:
    """Returns the server that the user may manage. Raises Refused (`no_server_here`, `not_your_server`)."""
    await permissions.require_manage_server(ctx)
    assert ctx.guild is not None, "it is required"
    return ctx.guild


async def own_team(ctx: Context) -> Team:
    """Returns the team of the user's server in this channel. Raises Refused unless they manage it."""
    guild = await require_manager(ctx)
    await permissions.require_threaded_channel(ctx)
    return Team(guild, ctx.channel, ctx.user)


async def invite(ctx: Context, plan: dict[str, Any]) -> None:
    """Makes a challenge by `plan`, the fields of its Contest, and shows its code. Raises Refused."""
    code = make_code(secrets.choice)
    letters = read_code(code)
    assert letters is not None, "it was made a moment ago"
    expires = Millis(ctx.at + CODE_MILLIS)
    contest = Contest(
        home=await own_team(ctx), made=ctx.at, code=digest_of(letters), expires=expires, key=ctx.key, **plan
    )
    made = await ctx.use_cases.contests.challenge(contest)
    words = await ctx.words()
    until = {"at": words.moment(made.expires), "when": words.until(made.expires, ctx.at)}
    length = length_line(made, await ctx.use_cases.contests.estimate(made), words)
    await ctx.reply("\n".join((words("team.made", code=code, **until), length)))


async def preview(ctx: Context, words: Words) -> str:
    """Returns the offer of a contest on boards with the usual terms, as a manager of the other server reads it. Raises
    Refused."""
    terms = await _terms(ctx, None, None, f"{USUAL_DAYS}d")
    team, sign_up = Team(permissions.require_guild(ctx), ctx.channel, ctx.user), Millis(USUAL_SIGN_UP_DAYS * DAY)
    time = Millis(7 * DEFAULT_WEEKS * DAY)
    contest = Contest(ContestId(0), Kind.BOARDS, terms, team, ctx.at, "", ctx.at, sign_up=sign_up, time=time)
    name = await server_name(ctx.services.names, team.guild, words)
    length = await ctx.use_cases.contests.estimate(contest)
    return "\n".join(offer_lines(contest, escape(name), length, words))


async def show_offer(ctx: Context, typed: str) -> None:
    """Shows what a code invites to, to a manager alone. Raises Refused."""
    guild = await require_manager(ctx)
    contest, letters = await _look_up(ctx, typed, guild)
    words = await ctx.words()
    name = escape(await server_name(ctx.services.names, contest.home.guild, words))
    if contest.guest is not None:
        await ctx.reply(_accepted(contest, name, words))
        return
    await permissions.require_threaded_channel(ctx)
    answers = (
        AcceptTeam.make(words("team.button.accept"), discord.ButtonStyle.success, code=letters),
        DeclineTeam.make(words("team.button.decline"), code=letters),
    )
    lines = offer_lines(contest, name, await ctx.use_cases.contests.estimate(contest), words)
    await show_question(ctx, Question("\n".join(lines), None, answers))


def _accepted(contest: Contest, name: str, words: Words) -> str:
    """Returns that the server plays against the server `name`."""
    return words("team.accepted.vote", name=name) if contest.kind is Kind.VOTE else words("team.accepted", name=name)


async def _look_up(ctx: Context, typed: str, guild: GuildId) -> tuple[Contest, str]:
    """Returns the contest of a code, and its letters. Each try counts. Raises Refused."""
    ctx.services.gate.count_code(ctx.user, ctx.guild)
    letters = read_code(typed)
    if letters is None:
        raise Refused(Reason.NO_TEAM_CODE)
    return await ctx.use_cases.contests.look_up(letters, guild, ctx.at), letters


class AcceptTeam(Confirmation, id=ids.ACCEPT_TEAM):
    """Accepts for the server in this channel."""

    code: str

    async def carry_out(self, ctx: Context) -> list[Part]:
        team = await own_team(ctx)
        await _look_up(ctx, self.code, team.guild)
        accepted = await ctx.use_cases.contests.accept(self.code, team, ctx.at)
        words = await ctx.words()
        name = await server_name(ctx.services.names, accepted.team(Side.HOME).guild, words)
        return [_accepted(accepted, escape(name), words)]


class DeclineTeam(Confirmation, id=ids.DECLINE_TEAM):
    """Declines for the server."""

    code: str

    async def carry_out(self, ctx: Context) -> list[Part]:
        guild = await require_manager(ctx)
        await _look_up(ctx, self.code, guild)
        await ctx.use_cases.contests.decline(self.code, guild, ctx.user, ctx.at)
        words = await ctx.words()
        return [words("team.declined")]


class ListServer(PanelItem, id=ids.LIST_SERVER):
    """Shows the server's name to all, or to those alone that it has played."""

    listed: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        guild = await require_manager(ctx)
        await ctx.use_cases.contests.set_listed(guild, ctx.user, listed=bool(self.listed))
        return await season_panel(ctx)


async def season_panel(ctx: Context) -> list[Part]:
    """Returns the present season's table as the server may read it. Raises Refused."""
    guild = permissions.require_guild(ctx)
    words, season = await ctx.words(), Season.at(ctx.at)
    table = await ctx.use_cases.contests.season(guild, season)
    rows = _shown(table.rows, guild)
    names = {
        row.guild: escape(await server_name(ctx.services.names, row.guild, words))
        for row in rows
        if row.guild in table.known
    }
    title = words("team.season.title", season=name_season(season, season, words))
    lines = [title, *season_lines(rows, names, words)]
    if table.is_listed:
        lines.append(words("team.season.listed"))
    parts: list[Part] = ["\n".join(lines)]
    if ctx.interaction.permissions.manage_guild:
        label = words("team.season.unlist" if table.is_listed else "team.season.list")
        parts.append([ListServer.make(label, listed=int(not table.is_listed))])
    return parts


def _shown(rows: Sequence[SeasonRow], guild: GuildId) -> list[SeasonRow]:
    """Returns the best servers, and the reader's own."""
    return [*rows[:MAX_ROWS], *(row for row in rows[MAX_ROWS:] if row.guild == guild)]


class WithdrawTeam(Confirmation, id=ids.WITHDRAW_TEAM):
    """Cancels a contest for the server, or asks the other one for it."""

    contest: ContestId

    async def carry_out(self, ctx: Context) -> list[Part]:
        guild = await require_manager(ctx)
        contest = await ctx.use_cases.contests.withdraw(self.contest, guild, ctx.user, ctx.at)
        words = await ctx.words()
        return [words("team.cancel.asked" if contest.is_open else "team.cancel.done")]


async def ask_to_cancel(ctx: Context) -> None:
    """Asks a manager which of the server's open contests to cancel. Raises Refused."""
    guild = await require_manager(ctx)
    words = await ctx.words()
    found = await ctx.use_cases.contests.open_of_guild(guild)
    answers = [WithdrawTeam.make(await _label(ctx, contest, guild, words), contest=contest.id) for contest in found]
    await confirm(ctx, words("team.cancel.ask"), *answers)


async def _label(ctx: Context, contest: Contest, guild: GuildId, words: Words) -> str:
    side = contest.require_side(guild)
    if contest.guest is None:
        return words("team.cancel.invitation")
    name = await server_name(ctx.services.names, contest.team(side.other).guild, words)
    return words("team.cancel.contest", name=name)


async def challenge(
    ctx: Context,
    rules: str | None = None,
    size: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    days: app_commands.Range[int, 1, MAX_MOVE_DAYS] = USUAL_DAYS,
    pairs: app_commands.Range[int, MIN_BOARDS, MAX_BOARDS] = MAX_BOARDS,
    signup: app_commands.Range[int, MIN_SIGN_UP_DAYS, MAX_SIGN_UP_DAYS] = USUAL_SIGN_UP_DAYS,
    weeks: app_commands.Range[int, MIN_WEEKS, MAX_WEEKS] = DEFAULT_WEEKS,
    vote: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    quorum: app_commands.Range[int, 1, MAX_QUORUM] = DEFAULT_QUORUM,
    rated: bool | None = None,
) -> None:
    if rated is None:
        rated = (await permissions.server_settings(ctx)).rated
    terms = replace(await _terms(ctx, rules, size, f"{days}d"), rated=rated and vote is None)
    plan: dict[str, Any] = {
        "kind": Kind.BOARDS,
        "size": pairs,
        "sign_up": Millis(signup * DAY),
        "time": Millis(7 * weeks * DAY),
    }
    if vote is not None:
        plan = {"kind": Kind.VOTE, "period": read_period(typed_time(vote)), "quorum": quorum}
    await invite(ctx, {"id": ContestId(0), "terms": terms, **plan})


async def accept(ctx: Context, code: app_commands.Range[str, 1, MAX_CODE]) -> None:
    await show_offer(ctx, code)


async def cancel(ctx: Context) -> None:
    await ask_to_cancel(ctx)


async def place(ctx: Context, player: discord.User, place: app_commands.Range[int, 1, MAX_SIGNED_UP]) -> None:
    """Gives a player a place in the line-up, and says so in the channel of the sign-up."""
    guild = await require_manager(ctx)
    contest = await _sign_up_here(ctx, guild)
    placed = await ctx.use_cases.contests.place(contest.id, guild, ctx.user, UserId(player.id), place)
    await _tell(ctx, placed, UserId(player.id), "team.placed")


async def remove(ctx: Context, player: discord.User) -> None:
    """Takes a player off the list, and tells them in the channel of the sign-up."""
    guild = await require_manager(ctx)
    contest = await _sign_up_here(ctx, guild)
    removed = await ctx.use_cases.contests.remove(contest.id, guild, ctx.user, UserId(player.id))
    await _tell(ctx, removed, UserId(player.id), "team.removed")


async def _sign_up_here(ctx: Context, guild: GuildId) -> Contest:
    """Returns the contest for which members sign up in this channel, or that has begun here since. Raises Refused
    (`no_sign_up_here`)."""
    found = await ctx.use_cases.contests.of_guild(guild)
    here = [each for each in found if each.is_open and each.team(each.require_side(guild)).channel == ctx.channel]
    if not here:
        raise Refused(Reason.NO_SIGN_UP_HERE)
    return next((each for each in here if each.stage is Stage.SIGN_UP), here[0])


async def _tell(ctx: Context, contest: Contest, user: UserId, line: str) -> None:
    """Tells the player, and the manager the line-up."""
    assert ctx.guild is not None, "a server takes part"
    side = contest.require_side(ctx.guild)
    numbers = [number for number, player in contest.of_side(side) if not player.left]
    told = await ctx.services.locales.for_guild(ctx.guild)
    names = {"player": f"<@{user}>", "name": await own_name(ctx, told)}
    at = next((place for place, number in enumerate(numbers, 1) if contest.players[number].user == user), 0)
    text = {"content": told(line, place=at, **names), "allowed_mentions": mentions_of([user])}
    await ctx.services.channels.post(ctx.channel, lambda: text, f"{ctx.key}:team", guild=ctx.guild)
    words = await ctx.words()
    shown = [escape(await ctx.services.names.of(contest.players[number].user, ctx.guild)) for number in numbers]
    await ctx.reply("\n".join((words("team.line_up"), *(f"{n}\\. {name}" for n, name in enumerate(shown, 1)))))


async def status(ctx: Context) -> None:
    await ctx.show(await _status(ctx))


async def season(ctx: Context) -> None:
    await ctx.show(await season_panel(ctx))


async def _terms(ctx: Context, rules: str | None, size: str | None, clock: str) -> Terms:
    """Returns the player's default terms with the chosen options. Raises Refused and RuleError."""
    terms = await chosen_terms(ctx, rules)
    game = terms.game.with_options({"size": size}) if size else terms.game
    return await name_rules(ctx, replace(terms, game=game, control=parse_control(clock), window=None, level=None))


async def _status(ctx: Context) -> list[Part]:
    """Returns the newest contests of the server, one a line. Raises Refused."""
    found = await ctx.use_cases.contests.of_guild(permissions.require_guild(ctx))
    if not found:
        raise Refused(Reason.NO_TEAM_MATCH)
    words, lines = await ctx.words(), []
    for contest in found:
        home, guest = await server_names(ctx.services.names, contest, words)
        lines.append(f"- {status_line(contest, (escape(home), escape(guest)), words, ctx.at)}")
    return ["\n".join(lines)]


COMMANDS = (
    Group(
        "team",
        (
            Command(challenge, like="challenge", suggests={"rules": suggest_rules_of_two}, for_managers=True),
            *declare(accept, cancel, place, remove, for_managers=True),
            *declare(status, season),
        ),
        on_servers=True,
    ),
)

BUTTONS: tuple[type[Component], ...] = (AcceptTeam, DeclineTeam, ListServer, WithdrawTeam)
