"""Linked accounts: Discord is told what has changed, once an hour at most, and no token is used twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from play.community.daily import SHOWN, Run
from play.community.roles import PUSH_MILLIS, FigureName, Figures, LinkState, best_rating
from play.community.streak import Streak
from play.ids import UserId
from play.people.settings import Reminders
from play.ratings.glicko import Rating
from play.ratings.leaderboard import Leader
from play.ratings.settlement import MIN_MOVES
from storage import Database, schema
from tests.clock import NOON, StoppedClock
from tests.league import add_leaderboard
from tests.matches import ANNA, BORIS, CLARA, add_match, play_turn, resign, save_match
from use_cases.events import Events
from use_cases.linked_accounts import LinkedAccounts
from use_cases.worker import RetryLater, Timing
from use_cases.workers.role_sync import HELD_MILLIS, Access, AccountSync, Withdrawn


class Killed(BaseException):
    """The end of a process: nothing catches it."""


class Register:
    """A gateway in memory, which takes each refresh token once. `told` are the figures by the names of tokens."""

    def __init__(self) -> None:
        self.good = {"anna.0"}
        self.told: dict[str, Figures] = {}
        self.pushes = 0
        self.fault: BaseException | None = None
        self.loss: BaseException | None = None

    async def access(self, refresh: str) -> Access:
        """Spends a token, also where a `loss` takes the place of the answer."""
        if refresh not in self.good:
            raise Withdrawn
        self.good.remove(refresh)
        if self.loss is not None:
            raise self.loss
        name, _, number = refresh.partition(".")
        self.good.add(new := f"{name}.{int(number) + 1}")
        return Access(name, new)

    async def push(self, token: str, figures: Figures) -> None:
        self.pushes += 1
        if self.fault is not None:
            raise self.fault
        self.told[token] = figures

    async def take_back(self, access: Access) -> None:
        if self.fault is not None:
            raise self.fault
        self.told.pop(access.token, None)
        self.good.discard(access.refresh)


class Mailbox:
    """Notices in memory: the users who were told."""

    def __init__(self) -> None:
        self.told: list[UserId] = []
        self.fault: BaseException | None = None

    async def tell_ended(self, user: UserId) -> None:
        if self.fault is not None:
            raise self.fault
        self.told.append(user)


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def register() -> Register:
    return Register()


@pytest.fixture
def accounts(store: Database) -> LinkedAccounts:
    return LinkedAccounts(store, Events())


@pytest.fixture
async def sync(store: Database, register: Register, mailbox: Mailbox, accounts: LinkedAccounts) -> AccountSync:
    await accounts.link(ANNA, "anna.0")
    return AccountSync(store, register, mailbox, Timing())


async def run(sync: AccountSync) -> int:
    """Looks at the accounts that are due; returns how many."""
    found = await sync.pending(50)
    for key in found:
        await sync.process(key)
    return len(found)


async def solve(store: Database, streak: int) -> None:
    async with store.write() as tx:
        await tx.dailies.save_streak(Streak(ANNA, streak, streak, "2025-06-15"))


async def test_figures_are_pushed_when_they_change_and_once_an_hour(
    store: Database, sync: AccountSync, register: Register, clock: StoppedClock
) -> None:
    assert await run(sync) == 1
    assert register.told == {"anna": {FigureName.GAMES: 0, FigureName.PUZZLES: 0, FigureName.STREAK: 0}}
    await solve(store, 3)
    clock.advance(PUSH_MILLIS - 1)
    assert await run(sync) == 0
    clock.advance(1)
    assert await run(sync) == 1
    assert register.told["anna"][FigureName.STREAK] == 3
    clock.advance(PUSH_MILLIS)
    assert await run(sync) == 1
    assert register.pushes == 2


async def test_the_best_rating_and_solved_puzzles_are_among_the_figures(
    store: Database, sync: AccountSync, register: Register
) -> None:
    await add_leaderboard(store, ANNA, BORIS, CLARA)
    async with store.write() as tx:
        await tx.dailies.add_run(replace(Run("2025-06-15", ANNA, NOON), results=(0, SHOWN)))
    await run(sync)
    assert register.told["anna"][FigureName.RATING] > 1500
    assert register.told["anna"][FigureName.PUZZLES] == 1


def test_a_rating_is_told_from_eight_games_on_and_the_best_of_them() -> None:
    few, many, more = (
        Leader(None, ANNA, Rating(value), games) for value, games in ((1900, 7), (1601.6, 8), (1500, 90))
    )
    assert best_rating([few]) is None
    assert best_rating([few, many, more]) == 1602


async def test_a_game_that_was_cancelled_or_goes_on_is_not_counted(store: Database) -> None:
    async def count(user: UserId) -> int:
        async with store.read() as reader:
            return await reader.careers.count_completed(user)

    running = await save_match(store, play_turn(await add_match(store)))
    assert await count(ANNA) == 0
    await save_match(store, resign(running))
    assert (await count(ANNA), await count(BORIS)) == (1, 1)


async def played_by_both(store: Database) -> tuple[int, int]:
    async with store.read() as reader:
        return await reader.careers.count_played(ANNA), await reader.careers.count_played(BORIS)


@pytest.mark.parametrize(("moves", "counted"), [(2, 0), (2 * MIN_MOVES - 1, 0), (2 * MIN_MOVES, 1)])
async def test_a_game_that_is_given_up_counts_from_ten_moves_of_each_player(
    store: Database, moves: int, counted: int
) -> None:
    match = await add_match(store)
    for _ in range(moves):
        match = await save_match(store, play_turn(match))
    assert await played_by_both(store) == (0, 0)
    await save_match(store, resign(match))
    assert await played_by_both(store) == (counted, counted)


async def test_a_game_that_a_move_has_ended_counts_however_short_it_was(store: Database) -> None:
    match = await save_match(store, resign(await save_match(store, play_turn(await add_match(store)))))
    async with store.write() as tx:
        await tx.connection.execute(update(schema.match).where(schema.match.c.id == match.id).values(reason="full"))
    assert await played_by_both(store) == (1, 1)


async def test_two_processes_use_a_token_once(
    store: Database, sync: AccountSync, register: Register, mailbox: Mailbox
) -> None:
    other = AccountSync(store, register, mailbox, Timing())
    assert await other.pending(9) == await sync.pending(9) == [ANNA]
    await sync.process(ANNA)
    await other.process(ANNA)
    assert register.pushes == 1


async def test_a_kill_after_a_new_token_loses_no_link(
    store: Database, sync: AccountSync, register: Register, clock: StoppedClock
) -> None:
    register.fault = Killed()
    with pytest.raises(Killed):
        await run(sync)
    register.fault = None
    assert await run(sync) == 0
    clock.advance(HELD_MILLIS)
    assert await run(sync) == 1
    assert register.told["anna"] is not None


async def test_a_grant_that_its_user_has_ended_at_discord_ends_quietly(
    store: Database, sync: AccountSync, register: Register, mailbox: Mailbox, accounts: LinkedAccounts
) -> None:
    register.good.clear()
    await run(sync)
    assert (await accounts.state(ANNA), mailbox.told) == (LinkState.NONE, [])
    async with store.read() as reader:
        assert await reader.linked_accounts.get(ANNA) is None


async def test_what_discord_does_not_answer_is_tried_again(
    sync: AccountSync, register: Register, accounts: LinkedAccounts
) -> None:
    register.fault = RetryLater("503")
    with pytest.raises(RetryLater):
        await run(sync)
    register.fault = None
    assert await run(sync) == 1
    assert await accounts.state(ANNA) is LinkState.LINKED
    assert "anna" in register.told


async def test_one_who_unlinks_is_forgotten_at_discord_though_it_is_away_at_first(
    store: Database, sync: AccountSync, register: Register, accounts: LinkedAccounts
) -> None:
    await run(sync)
    await accounts.unlink(ANNA)
    assert await accounts.state(ANNA) is LinkState.NONE
    register.fault = RetryLater("503")
    with pytest.raises(RetryLater):
        await run(sync)
    register.fault = None
    await run(sync)
    assert (register.told, register.good) == ({}, set())
    async with store.read() as reader:
        assert await reader.linked_accounts.get(ANNA) is None


async def test_one_who_links_anew_while_they_are_unlinked_stays_linked(
    store: Database, sync: AccountSync, register: Register, accounts: LinkedAccounts
) -> None:
    class Slow(Register):
        async def take_back(self, access: Access) -> None:
            await super().take_back(access)
            await accounts.link(ANNA, "anna.7")

    slow = Slow()
    await accounts.unlink(ANNA)
    await run(AccountSync(store, slow, Mailbox(), Timing()))
    async with store.read() as reader:
        account = await reader.linked_accounts.get(ANNA)
    assert account is not None
    assert (account.refresh, account.withdrawn) == ("anna.7", False)


async def lose_answer(sync: AccountSync, register: Register) -> None:
    """Loses Discord's answer to a token, and looks at the account again."""
    register.loss = RetryLater("ServerDisconnectedError")
    with pytest.raises(RetryLater):
        await run(sync)
    register.loss = None
    await run(sync)


async def test_a_user_whose_token_was_spent_by_a_lost_answer_is_told_once(
    store: Database, sync: AccountSync, register: Register, mailbox: Mailbox, accounts: LinkedAccounts
) -> None:
    await lose_answer(sync, register)
    assert (await accounts.state(ANNA), mailbox.told) == (LinkState.ENDED, [])
    after_a_restart = AccountSync(store, register, mailbox, Timing())
    assert [await run(after_a_restart) for _ in range(3)] == [1, 0, 0]
    assert (await accounts.state(ANNA), mailbox.told) == (LinkState.ENDED, [ANNA])


async def test_a_kill_before_the_answer_is_a_lost_answer_as_well(
    sync: AccountSync, register: Register, mailbox: Mailbox, clock: StoppedClock
) -> None:
    register.loss = Killed()
    with pytest.raises(Killed):
        await run(sync)
    register.loss = None
    clock.advance(HELD_MILLIS)
    assert [await run(sync) for _ in range(3)] == [1, 1, 0]
    assert mailbox.told == [ANNA]


async def test_a_link_that_has_ended_begins_anew(
    sync: AccountSync, register: Register, accounts: LinkedAccounts
) -> None:
    await lose_answer(sync, register)
    register.good.add("anna.7")
    await accounts.link(ANNA, "anna.7")
    await run(sync)
    assert await accounts.state(ANNA) is LinkState.LINKED
    assert "anna" in register.told


async def test_one_whose_link_has_ended_unlinks_without_a_request(
    store: Database, sync: AccountSync, register: Register, accounts: LinkedAccounts
) -> None:
    await lose_answer(sync, register)
    register.fault = register.loss = AssertionError("there is no token")
    register.good.add("")
    await accounts.unlink(ANNA)
    await run(sync)
    async with store.read() as reader:
        assert await reader.linked_accounts.get(ANNA) is None


async def test_one_who_wants_no_reminders_reads_it_in_their_settings_alone(
    store: Database, sync: AccountSync, register: Register, mailbox: Mailbox, accounts: LinkedAccounts
) -> None:
    async with store.write() as tx:
        await tx.people.save(replace(await tx.people.get(ANNA), reminders=Reminders.OFF))
    await lose_answer(sync, register)
    assert [await run(sync) for _ in range(2)] == [1, 0]
    assert (await accounts.state(ANNA), mailbox.told) == (LinkState.ENDED, [])


async def test_a_notice_that_does_not_arrive_is_sent_again(
    sync: AccountSync, register: Register, mailbox: Mailbox
) -> None:
    await lose_answer(sync, register)
    mailbox.fault = RetryLater("503")
    with pytest.raises(RetryLater):
        await run(sync)
    mailbox.fault = None
    assert [await run(sync) for _ in range(2)] == [1, 0]
    assert mailbox.told == [ANNA]
