"""Each act of those who manage or moderate a server leaves a line in its log, in the language of that server.

Which acts these are is read from the source: what a command, button or form does that looks first whether its user may.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import count
from typing import Any, Final, NamedTuple

import pytest

from bot.features.registry import FEATURES
from bot.interactions.commands import Command, Group
from bot.markup import spoken
from play.challenge.terms import Owner, Terms
from play.clock import parse_control
from play.community.ban import Ban
from play.community.news import News
from play.competitions.contest import ContestId, Side
from play.competitions.ladder import Ladder
from play.competitions.league import League, first_season
from play.competitions.tournament import Format, Tournament, TournamentId
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, RoleId, UserId
from play.match.match import Match
from play.match.sheet import Sheet
from play.match.turn_tree import TriedTurn
from play.people.settings import ServerSettings
from play.posts import PostKey, PostKind
from play.refusal import Reason
from presentation.server_log import describe_entry
from rules.game import Seat
from rules.registry import make_game
from storage import Database
from tests.bot.use_case_calls import SERVICES, modules, uses
from tests.clock import NOON
from tests.matches import ANNA, BORIS
from tests.play.competitions.contests import GUEST, GUEST_TEAM, HOME, LETTERS, invitation, member_of, members
from tests.votes import a_game, cast
from use_cases import UseCases

MANAGERS_ONLY: Final = frozenset(
    {Reason.NOT_YOUR_SERVER, Reason.NOT_A_HOST, Reason.NOT_A_LADDER_MAKER, Reason.NOT_YOUR_TOURNAMENT}
)
"""Why others may not."""

JUDGES: Final = {"moderation", "bans"}
"""Services of whose commands Discord says who may use them."""

SILENT: Final = {
    ("homes", "post_now"): "the post itself is the line",
    ("moderation", "close"): "the program does it, when a round is over",
    ("moderation", "end_unattended"): "the program does it, when a channel is gone",
}
"""Acts that leave no line, and why."""


class Definition(NamedTuple):
    """A function or a class of a module of the bot; `names` are all functions that it may call."""

    module: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    names: set[str]


def definitions() -> Iterator[Definition]:
    for module, tree in modules():
        imported = {
            alias.asname or alias.name: f"{each.module}.{alias.name}"
            for each in ast.walk(tree)
            if isinstance(each, ast.ImportFrom)
            for alias in each.names
        }
        own = {each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
        names = imported | {name: f"{module}.{name}" for name in own}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield Definition(module, node, set(_called(node, names)))


def _called(node: ast.AST, names: dict[str, str]) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            function = each.func
            if isinstance(function, ast.Name):
                yield names.get(function.id, "")
            elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                yield f"{names.get(function.value.id, '')}.{function.attr}"


def _asks(node: ast.AST) -> bool:
    """Returns whether a definition refuses those who may not manage or moderate the server."""
    return any(
        isinstance(reason, ast.Attribute) and reason.attr in {each.name for each in MANAGERS_ONLY}
        for each in ast.walk(node)
        if isinstance(each, ast.Raise)
        for reason in ast.walk(each)
    )


@cache
def guarded() -> list[Definition]:
    """Returns the definitions that look whether their user may, by themselves or by a function that does."""
    found = [*definitions()]
    asking = {f"{each.module}.{each.node.name}" for each in found if _asks(each.node)}
    while True:
        more = {
            f"{each.module}.{each.node.name}"
            for each in found
            if each.names & asking and not isinstance(each.node, ast.ClassDef)
        }
        if more <= asking:
            return [each for each in found if _asks(each.node) or each.names & asking]
        asking |= more


def writes(kind: type, name: str) -> bool:
    """Returns whether a use case changes what is stored, by itself or by another method of its class."""
    seen: set[str] = set()
    ahead = [name]
    while ahead:
        source = inspect.getsource(getattr(kind, ahead.pop()))
        if ".write()" in source or "_writer.apply" in source:
            return True
        called = {each for each in re.findall(r"self\.(\w+)\(", source) if hasattr(kind, each)}
        ahead += called - seen
        seen |= called
    return False


@cache
def acts() -> set[tuple[str, str]]:
    """Returns the use cases that are called for managers and moderators alone, and change something."""
    spans = [(each.module, each.node.lineno, each.node.end_lineno or 0) for each in guarded()]
    called = {
        (use.service, use.name)
        for use in uses()
        if any(use.module == module and first <= use.line <= last for module, first, last in spans)
    }
    judged = {
        (service, name)
        for service in JUDGES
        for name, each in vars(SERVICES[service]).items()
        if not name.startswith("_") and inspect.iscoroutinefunction(each)
    }
    return {(service, name) for service, name in called | judged if writes(SERVICES[service], name)}


def logged() -> set[tuple[str, str]]:
    return {
        (service, name)
        for service, kind in SERVICES.items()
        for name, each in vars(kind).items()
        if getattr(each, "is_logged", False)
    }


def test_what_managers_and_moderators_alone_may_do_is_logged() -> None:
    assert len(acts()) > 35
    assert acts() - logged() - SILENT.keys() == set(), "a new act needs @logged, and a row in DEEDS"


def commands() -> Iterator[tuple[Group | None, Command]]:
    for each in (each for feature in FEATURES for each in feature.commands):
        if isinstance(each, Group):
            yield from ((each, command) for command in each.commands)
        elif isinstance(each, Command):
            yield None, each


def test_commands_that_refuse_all_others_say_that_they_are_for_managers() -> None:
    names = {f"{each.module}.{each.node.name}" for each in guarded()}
    for group, command in commands():
        name = f"{command.handler.__module__}.{command.handler.__name__}"
        is_hidden = group is not None and group.permissions is not None
        assert command.for_managers == (name in names or is_hidden), name


def test_a_group_whose_commands_are_all_for_managers_is_hidden_from_others() -> None:
    for group in {group for group, _ in commands() if group is not None}:
        assert all(each.for_managers for each in group.commands) == (group.permissions is not None), group.name


def test_nothing_is_silent_that_is_no_act_any_more() -> None:
    assert SILENT.keys() <= acts()


def test_panels_that_write_by_themselves_log_it() -> None:
    writing = [each for each in definitions() if "features.settings" in each.module and _writes_here(each.node)]
    assert len(writing) == 2
    assert [each.node.name for each in writing if "use_cases.events.log_entry" not in each.names] == []


def _writes_here(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "write" for each in ast.walk(node))


# What each of them leaves

MANAGER: Final = UserId(901)
PLACE, OTHER, LOG = ChannelId(71), ChannelId(73), ChannelId(79)
TERMS: Final = Terms(make_game("zagram", {"size": "10x10"}), parse_control("1d"))
CUP: Final = TournamentId(1)
CONTEST: Final = ContestId(1)
OWNER: Final = Owner(guild=HOME)

_keys = map(IdempotencyKey, count(1))
_channels = map(ChannelId, count(2000))

Deed = Callable[[UseCases], Awaitable[Any]]


def _cup(format: Format = Format.SWISS) -> Tournament:  # noqa: A002 - as the tournament's field
    return Tournament(TournamentId(0), HOME, PLACE, MANAGER, "Autumn Cup", format, TERMS, Millis(NOON), rounds=3)


async def with_cup(use_cases: UseCases, entered: int = 0) -> None:
    await use_cases.tournaments.make(_cup())
    for user in range(101, 101 + entered):
        await use_cases.tournaments.sign_up(CUP, UserId(user))


async def with_ladder(use_cases: UseCases) -> None:
    await use_cases.ladders.make(Ladder(HOME, PLACE, TERMS), MANAGER)


async def with_league(use_cases: UseCases) -> None:
    await use_cases.leagues.open(League(HOME, PLACE, MANAGER, TERMS, first_season(Millis(NOON))))


async def with_contest(use_cases: UseCases, players: int = 0) -> None:
    await use_cases.contests.challenge(invitation(size=2))
    await use_cases.contests.accept(LETTERS, GUEST_TEAM, Millis(NOON))
    for side, guild in ((Side.HOME, HOME), (Side.GUEST, GUEST)):
        for user in members(side, players):
            await use_cases.contests.sign_up(CONTEST, member_of(user, guild), Millis(NOON))


async def with_match(use_cases: UseCases, moves: int = 2) -> Match:
    offered = await use_cases.challenges.challenge(ANNA, BORIS, HOME, next(_channels), TERMS, Millis(NOON))
    _, match = await use_cases.challenges.accept(offered.id, BORIS, Millis(NOON))
    assert match is not None
    for _ in range(moves):
        move = str(next(iter(match.position.moves())))
        mover = match.players[match.position.to_act]
        match = await use_cases.matches.move(match.id, mover, move, Millis(NOON), next(_keys))
    return match


async def with_rules(use_cases: UseCases) -> Any:
    return await use_cases.rule_sets.make(OWNER, MANAGER, "Ours", TERMS.game, None)


async def ban(use_cases: UseCases) -> None:
    await use_cases.bans.ban(Ban(HOME, ANNA, MANAGER, Millis(NOON), None, "rude"))


async def lift(use_cases: UseCases) -> None:
    await ban(use_cases)
    await use_cases.bans.lift(HOME, MANAGER, ANNA, Millis(NOON))


async def end_games(use_cases: UseCases) -> None:
    await with_match(use_cases)
    await use_cases.bans.end_games(HOME, MANAGER, ANNA, Millis(NOON))


async def judge(use_cases: UseCases, way: str) -> None:
    match, judges = await with_match(use_cases), use_cases.moderation
    match way:
        case "adjudge":
            await judges.adjudge(match.id, MANAGER, HOME, ANNA, Millis(NOON), next(_keys))
        case "annul":
            await judges.annul(match.id, MANAGER, HOME, Millis(NOON), next(_keys))
        case "extend":
            await judges.extend(match.id, MANAGER, HOME, ANNA, Millis(60_000), Millis(NOON), next(_keys))
        case "end_against":
            await judges.end_against(match, MANAGER, HOME, ANNA, Millis(NOON))
        case "void":
            await use_cases.matches.resign(match.id, BORIS, Millis(NOON), next(_keys))
            await judges.void(match.id, MANAGER, HOME, Millis(NOON))
        case "take_notes_off":
            await use_cases.matches.resign(match.id, BORIS, Millis(NOON), next(_keys))
            async with use_cases.store.write() as tx:
                turns = (TriedTurn(1, None, 0, Seat(0), "A1", "a cut"),)
                await tx.sheets.save(Sheet(match.id, ANNA, turns, 2, version=1, published=True), Millis(NOON), 5)
            await judges.take_notes_off(HOME, MANAGER, match.id, None, Millis(NOON))


async def withdraw_challenge(use_cases: UseCases) -> None:
    made = await use_cases.challenges.challenge(ANNA, None, HOME, PLACE, TERMS, Millis(NOON))
    await use_cases.challenges.withdraw_as_moderator(made.id, MANAGER, HOME, Millis(NOON))


async def vote(use_cases: UseCases, way: str = "begin") -> None:
    begun = await use_cases.votes.begin(replace(a_game(), by=MANAGER), Millis(NOON), next(_keys))
    [side] = await use_cases.votes.sides_of(begun.id)
    if way == "close_now":
        await cast(use_cases, begun.id)
        await use_cases.votes.close_now(begun, side, MANAGER)
    if way == "resign_side":
        await use_cases.matches.resign_side(side, MANAGER, Millis(NOON), next(_keys))


async def change_cup(use_cases: UseCases, way: str) -> None:
    cups = use_cases.tournaments
    await with_cup(use_cases, entered=4)
    match way:
        case "begin":
            await cups.begin(CUP, Millis(NOON), by=MANAGER)
        case "sign_up":
            await cups.sign_up(CUP, UserId(110), MANAGER)
        case "wish":
            await cups.wish(CUP, MANAGER, UserId(101), UserId(102))
        case "change":
            await cups.change(CUP, MANAGER, lambda cup: replace(cup, name="Winter Cup"))
        case "remove":
            await cups.remove(CUP, UserId(101), MANAGER)
        case "cancel":
            await cups.cancel(CUP, MANAGER)
        case "move":
            await cups.move(CUP, MANAGER, OTHER)


async def change_league(use_cases: UseCases, way: str) -> None:
    await with_league(use_cases)
    match way:
        case "move":
            await use_cases.leagues.move(HOME, OTHER, MANAGER)
        case "set_pins":
            await use_cases.leagues.set_pins(HOME, MANAGER, pins=True)
        case "change_terms":
            await use_cases.leagues.change_terms(HOME, MANAGER, replace(TERMS, control=parse_control("2d")))
        case "close":
            await use_cases.leagues.close(HOME, MANAGER)


async def change_ladder(use_cases: UseCases, way: str) -> None:
    await with_ladder(use_cases)
    if way == "move":
        await use_cases.ladders.move(HOME, MANAGER, OTHER)
    else:
        await use_cases.ladders.change_terms(HOME, MANAGER, replace(TERMS, control=parse_control("2d")))


async def change_contest(use_cases: UseCases, way: str) -> None:
    contests = use_cases.contests
    if way == "decline":
        await contests.challenge(replace(invitation(), home=replace(invitation().home, guild=GUEST)))
        await contests.decline(LETTERS, HOME, MANAGER, Millis(NOON))
        return
    await with_contest(use_cases, players=0 if way == "withdraw" else 2)
    match way:
        case "place":
            await contests.place(CONTEST, HOME, MANAGER, members(Side.HOME, 2)[1], 1)
        case "remove":
            await contests.remove(CONTEST, HOME, MANAGER, members(Side.HOME, 2)[1])
        case "begin_early":
            await contests.begin_early(CONTEST, HOME, MANAGER, Millis(NOON))
        case "withdraw":
            await contests.withdraw(CONTEST, HOME, MANAGER, Millis(NOON))
        case "move":
            await contests.move(CONTEST, Side.HOME, MANAGER, OTHER)


async def accept_contest(use_cases: UseCases) -> None:
    await use_cases.contests.challenge(replace(invitation(), home=replace(invitation().home, guild=GUEST)))
    await use_cases.contests.accept(LETTERS, replace(GUEST_TEAM, guild=HOME, manager=MANAGER), Millis(NOON))


async def change_rules(use_cases: UseCases, way: str) -> None:
    rules, own = use_cases.rule_sets, await with_rules(use_cases)
    match way:
        case "rename":
            await rules.rename(own.id, OWNER, MANAGER, "Theirs")
        case "change":
            await rules.change(own.id, OWNER, MANAGER, make_game("sport", {}), None)
        case "delete":
            await rules.delete(own.id, OWNER, MANAGER)


async def change_home(use_cases: UseCases, way: str) -> None:
    homes = use_cases.homes
    await homes.settle(HOME, PLACE, None, MANAGER)
    if way == "stop":
        await homes.stop(HOME, MANAGER)
    if way == "set_role":
        await homes.set_role(HOME, MANAGER, RoleId(88))


async def change_daily(use_cases: UseCases) -> None:
    await use_cases.dailies.change_place(HOME, lambda place: replace(place, choices=True), MANAGER)


async def show_seats(use_cases: UseCases, way: str) -> None:
    await use_cases.seats_posts.settle(HOME, PLACE, MANAGER)
    if way == "stop":
        await use_cases.seats_posts.stop(HOME, MANAGER)


async def follow_arenas(use_cases: UseCases) -> None:
    await use_cases.arenas.follow(HOME, PLACE, MANAGER)


async def move_home(use_cases: UseCases) -> None:
    await use_cases.homes.settle(HOME, PLACE, None, MANAGER)
    await use_cases.places.move(PostKey(PostKind.HOME, HOME), OTHER, MANAGER, Millis(NOON))


async def list_server(use_cases: UseCases) -> None:
    await use_cases.contests.set_listed(HOME, MANAGER, listed=True)


def _all(service: str, deed: Callable[[UseCases, str], Awaitable[None]], *names: str) -> dict[tuple[str, str], Deed]:
    return {(service, name): partial(_do, deed, name) for name in names}


async def _do(deed: Callable[[UseCases, str], Awaitable[None]], way: str, use_cases: UseCases) -> None:
    await deed(use_cases, way)


DEEDS: Final[dict[tuple[str, str], Deed]] = {
    **_all("moderation", judge, "adjudge", "annul", "extend", "end_against", "void", "take_notes_off"),
    **_all("tournaments", change_cup, "begin", "sign_up", "wish", "change", "remove", "cancel", "move"),
    **_all("leagues", change_league, "move", "set_pins", "change_terms", "close"),
    **_all("ladders", change_ladder, "move", "change_terms"),
    **_all("contests", change_contest, "decline", "begin_early", "withdraw", "move", "place", "remove"),
    **_all("rule_sets", change_rules, "rename", "change", "delete"),
    **_all("homes", change_home, "settle", "stop", "set_role"),
    **_all("votes", vote, "begin", "close_now"),
    **_all("matches", vote, "resign_side"),
    ("bans", "ban"): ban,
    ("bans", "lift"): lift,
    ("bans", "end_games"): end_games,
    ("challenges", "withdraw_as_moderator"): withdraw_challenge,
    ("tournaments", "make"): with_cup,
    ("leagues", "open"): with_league,
    ("ladders", "make"): with_ladder,
    ("contests", "challenge"): lambda use_cases: use_cases.contests.challenge(
        replace(invitation(), home=replace(invitation().home, manager=MANAGER))
    ),
    ("contests", "accept"): accept_contest,
    ("contests", "set_listed"): list_server,
    ("rule_sets", "make"): with_rules,
    ("dailies", "change_place"): change_daily,
    ("places", "move"): move_home,
    ("arenas", "follow"): follow_arenas,
    **_all("seats_posts", show_seats, "settle", "stop"),
}
"""How each of them is done once, last by MANAGER."""


async def entries(store: Database) -> list[News]:
    async with store.read() as reader:
        found = [await reader.news.get(each) for each in await reader.news.pending(50)]
    return [each for each in found if each is not None and each.entry is not None]


class Nameless:
    """Names of accounts that nobody has."""

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        return f"account {user}"


def test_every_act_that_is_logged_is_done_here() -> None:
    assert DEEDS.keys() == logged()


@pytest.mark.sample(6)
@pytest.mark.parametrize("act", sorted(DEEDS), ids=".".join)
async def test_it_leaves_a_line_that_names_who_did_it(store: Database, act: tuple[str, str]) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 4)
    told: list[None] = []
    use_cases.events.news_added.subscribe(lambda: told.append(None))
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(HOME, log_channel=LOG))
    await DEEDS[act](use_cases)
    news = (await entries(store))[-1]
    assert news.entry is not None
    assert (news.guild, news.channel, news.entry.by) == (HOME, LOG, MANAGER)
    assert told
    if act != ("bans", "end_games"):
        assert len({each.entry for each in await entries(store)}) == len(await entries(store))
    for language in spoken():
        line = await describe_entry(news, language, Nameless())  # type: ignore[arg-type]
        assert f"<@{MANAGER}>" in line
        assert "{" not in line
        assert "=" not in line
