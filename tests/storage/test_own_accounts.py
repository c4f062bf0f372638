"""A person's own accounts: joined by a code that both sides know, kept apart from each other's games, and parted."""

from __future__ import annotations

import random

import pytest

from play.codes import MAX_TRIES
from play.community.ban import Ban
from play.community.operator import RestrictionKind
from play.ids import ChannelId, IdentityKind, Platform, UserId
from play.people.own_accounts import CODE_MILLIS
from play.people.settings import Block
from play.refusal import Refused
from storage import Database
from tests.clock import NOON, StoppedClock
from tests.league import POOL
from tests.matches import ANNA, BORIS, CLARA, GUILD
from tests.storage.test_privacy import TERMS, finished
from use_cases import UseCases
from use_cases.barriers import check_may_meet
from use_cases.own_accounts import OwnAccounts, read_other_accounts


@pytest.fixture
async def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


class Told:
    """The notices that people got: what happened, to whom, and with which account."""

    def __init__(self) -> None:
        self.all: list[tuple[str, UserId, UserId]] = []

    async def tell_joined(self, user: UserId, other: UserId) -> None:
        self.all.append(("joined", user, other))

    async def tell_parted(self, user: UserId, other: UserId) -> None:
        self.all.append(("parted", user, other))


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def own_accounts(store: Database, told: Told) -> OwnAccounts:
    return OwnAccounts(store, told, random.Random(1).choice)


@pytest.fixture
async def anna_there(use_cases: UseCases) -> UserId:
    """Anna's account on Matrix."""
    return UserId(await use_cases.identities.take(Platform.MATRIX, IdentityKind.USER, "@anna:example.org"))


@pytest.fixture
async def joined(own_accounts: OwnAccounts, anna_there: UserId) -> UserId:
    """The same, joined with her account on Discord."""
    await own_accounts.join(anna_there, await own_accounts.ask(ANNA))
    return anna_there


async def someone_on(use_cases: UseCases, platform: Platform, name: str) -> UserId:
    return UserId(await use_cases.identities.take(platform, IdentityKind.USER, name))


async def test_a_code_joins_two_accounts(own_accounts: OwnAccounts, anna_there: UserId) -> None:
    code = await own_accounts.ask(ANNA)
    assert await own_accounts.look_up(anna_there, code) == ANNA
    assert await own_accounts.of_user(ANNA) == (ANNA,)
    assert await own_accounts.join(anna_there, code.lower().replace("-", " ")) == ANNA
    assert await own_accounts.of_user(ANNA) == await own_accounts.of_user(anna_there) == (ANNA, anna_there)


async def test_the_one_who_has_asked_is_told(own_accounts: OwnAccounts, told: Told, anna_there: UserId) -> None:
    await own_accounts.join(anna_there, await own_accounts.ask(ANNA))
    assert told.all == [("joined", ANNA, anna_there)]


async def test_a_code_is_used_once(own_accounts: OwnAccounts, use_cases: UseCases, anna_there: UserId) -> None:
    code = await own_accounts.ask(ANNA)
    await own_accounts.join(anna_there, code)
    other = await someone_on(use_cases, Platform.TELEGRAM, "7")
    with pytest.raises(Refused, match="no_link_code"):
        await own_accounts.join(other, code)


async def test_a_code_ends_with_its_time(own_accounts: OwnAccounts, clock: StoppedClock, anna_there: UserId) -> None:
    code = await own_accounts.ask(ANNA)
    clock.advance(CODE_MILLIS)
    with pytest.raises(Refused, match="no_link_code"):
        await own_accounts.join(anna_there, code)


async def test_a_new_code_voids_the_one_before(own_accounts: OwnAccounts, anna_there: UserId) -> None:
    code = await own_accounts.ask(ANNA)
    await own_accounts.ask(ANNA)
    with pytest.raises(Refused, match="no_link_code"):
        await own_accounts.look_up(anna_there, code)


async def test_wrong_letters_void_a_code_after_some_tries(own_accounts: OwnAccounts, anna_there: UserId) -> None:
    code = await own_accounts.ask(ANNA)
    wrong = code[:4] + "0000-0000"
    for _ in range(MAX_TRIES):
        assert await own_accounts.look_up(anna_there, code) == ANNA
        with pytest.raises(Refused, match="no_link_code"):
            await own_accounts.look_up(anna_there, wrong)
    with pytest.raises(Refused, match="no_link_code"):
        await own_accounts.look_up(anna_there, code)


@pytest.mark.parametrize("typed", ["", "hello", "0000-0000-0000", "ё" * 12])
async def test_what_is_no_code_is_refused(own_accounts: OwnAccounts, anna_there: UserId, typed: str) -> None:
    with pytest.raises(Refused, match="no_link_code"):
        await own_accounts.look_up(anna_there, typed)


async def test_a_code_is_stored_without_its_letters(own_accounts: OwnAccounts, store: Database) -> None:
    code = await own_accounts.ask(ANNA)
    async with store.read() as reader:
        stored = await reader.own_accounts.code(code[:4])
    assert stored is not None
    assert code[5:9] not in repr(stored)


async def test_nobody_joins_an_account_with_itself(own_accounts: OwnAccounts) -> None:
    with pytest.raises(Refused, match="own_link_code"):
        await own_accounts.look_up(ANNA, await own_accounts.ask(ANNA))


async def test_two_accounts_of_one_platform_are_two_people(own_accounts: OwnAccounts) -> None:
    with pytest.raises(Refused, match="platform_taken"):
        await own_accounts.join(BORIS, await own_accounts.ask(ANNA))


async def test_accounts_are_joined_once(own_accounts: OwnAccounts, joined: UserId) -> None:
    with pytest.raises(Refused, match="linked_already"):
        await own_accounts.join(joined, await own_accounts.ask(ANNA))


async def test_a_person_has_one_account_of_each_platform(
    own_accounts: OwnAccounts, use_cases: UseCases, joined: UserId
) -> None:
    third = await someone_on(use_cases, Platform.TELEGRAM, "7")
    await own_accounts.join(third, await own_accounts.ask(joined))
    assert await own_accounts.of_user(third) == (ANNA, joined, third)
    fourth = await someone_on(use_cases, Platform.MATRIX, "@other:example.org")
    with pytest.raises(Refused, match="platform_taken"):
        await own_accounts.join(fourth, await own_accounts.ask(ANNA))


@pytest.mark.parametrize("side", [0, 1])
async def test_either_side_parts_accounts(own_accounts: OwnAccounts, told: Told, joined: UserId, side: int) -> None:
    mine, other = (ANNA, joined) if side else (joined, ANNA)
    assert await own_accounts.part(mine) == (other,)
    assert told.all[1:] == [("parted", other, mine)]
    assert [await own_accounts.of_user(each) for each in (mine, other)] == [(mine,), (other,)]


async def test_one_of_three_leaves_the_others_joined(
    own_accounts: OwnAccounts, use_cases: UseCases, joined: UserId
) -> None:
    third = await someone_on(use_cases, Platform.TELEGRAM, "7")
    await own_accounts.join(third, await own_accounts.ask(joined))
    await own_accounts.part(ANNA)
    assert await own_accounts.of_user(joined) == (joined, third)


async def test_an_account_that_is_alone_cannot_be_parted(own_accounts: OwnAccounts) -> None:
    with pytest.raises(Refused, match="not_linked"):
        await own_accounts.part(ANNA)


async def test_deleted_data_end_the_link(own_accounts: OwnAccounts, store: Database, joined: UserId) -> None:
    await own_accounts.ask(joined)
    async with store.write() as tx:
        await tx.privacy.forget(joined)
    assert await own_accounts.of_user(ANNA) == (ANNA,)
    async with store.read() as reader:
        assert await reader.privacy.export(joined) == {}
        assert await reader.privacy.export(ANNA) == {}


async def test_ratings_and_games_stay_with_their_accounts_and_are_read_together(
    use_cases: UseCases, store: Database, joined: UserId
) -> None:
    await finished(use_cases, ANNA, BORIS)
    await finished(use_cases, BORIS, joined)
    async with store.read() as reader:
        found = [*await read_other_accounts(reader, joined), *await read_other_accounts(reader, ANNA)]
    assert [(each.user, [*each.ratings], each.tally.won) for each in found] == [(ANNA, [POOL], 1), (joined, [POOL], 0)]


async def test_a_block_counts_for_all_accounts_of_both(
    own_accounts: OwnAccounts, use_cases: UseCases, store: Database, joined: UserId
) -> None:
    boris_there = await someone_on(use_cases, Platform.MATRIX, "@boris:example.org")
    await own_accounts.join(boris_there, await own_accounts.ask(BORIS))
    await use_cases.blocks.block(ANNA, BORIS, NOON)
    async with store.read() as reader:
        assert await reader.blocks.among([joined, boris_there, CLARA]) == [Block(joined, boris_there)]
        with pytest.raises(Refused, match="no_game_with"):
            await check_may_meet(reader, None, boris_there, [joined], NOON)
        with pytest.raises(Refused, match="you_blocked"):
            await check_may_meet(reader, None, joined, [boris_there], NOON)


async def test_a_ban_counts_for_all_accounts(use_cases: UseCases, store: Database, joined: UserId) -> None:
    await use_cases.bans.ban(Ban(GUILD, ANNA, CLARA, NOON))
    async with store.read() as reader:
        with pytest.raises(Refused, match="banned"):
            await check_may_meet(reader, GUILD, joined, [BORIS], NOON)
        with pytest.raises(Refused, match="no_game_with"):
            await check_may_meet(reader, GUILD, BORIS, [joined], NOON)


async def test_whom_the_operator_blocks_is_challenged_by_no_account(
    use_cases: UseCases, store: Database, joined: UserId
) -> None:
    await use_cases.operator.block("root", RestrictionKind.USER, ANNA, "rude")
    async with store.read() as reader:
        with pytest.raises(Refused, match="no_game_with"):
            await check_may_meet(reader, None, BORIS, [joined], NOON)


async def test_nobody_plays_against_their_own_account(use_cases: UseCases, joined: UserId) -> None:
    with pytest.raises(Refused, match="own_account"):
        await use_cases.challenges.challenge(ANNA, joined, GUILD, ChannelId(1), TERMS, NOON)
    offer = await use_cases.challenges.challenge(ANNA, None, GUILD, ChannelId(1), TERMS, NOON)
    with pytest.raises(Refused, match="own_account"):
        await use_cases.challenges.accept(offer.id, joined, NOON)
