"""Own rule sets come back as they were stored; a name is there once an owner, and ids are never given again."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from play.challenge.terms import MAX_RULE_SETS, Owner, RuleSet, Terms
from play.clock import parse_control
from play.ids import ChannelId, IdempotencyKey, RuleSetId, UserId
from play.refusal import Reason, Refused
from rules.registry import GAMES, make_game
from storage import Database
from storage.errors import NameTaken, Stale
from tests.clock import NOON
from tests.matches import ANNA, BORIS, GUILD
from use_cases import UseCases

ANNAS, BORISS, CLUBS = Owner(ANNA), Owner(BORIS), Owner(guild=GUILD)
EXTRA = make_game("sport", {"size": "20x20", "extra-move": "on"})
NAME = "Дедушкины правила 🎲"


async def add(store: Database, owner: Owner = ANNAS, name: str = NAME, control: str | None = None) -> RuleSet:
    own = RuleSet(RuleSetId(0), owner, name, EXTRA, parse_control(control) if control else None)
    async with store.write() as tx:
        return await tx.rule_sets.add(own)


async def of(store: Database, owner: Owner) -> list[RuleSet]:
    async with store.read() as reader:
        return await reader.rule_sets.of(owner)


@pytest.mark.parametrize("owner", [ANNAS, CLUBS], ids=["a player", "a server"])
@pytest.mark.parametrize("control", [None, "5s random", "10m+30s max 15m"])
async def test_a_rule_set_comes_back(store: Database, owner: Owner, control: str | None) -> None:
    stored = await add(store, owner, control=control)
    assert await of(store, owner) == [stored]
    async with store.read() as reader:
        assert await reader.rule_sets.get(stored.id) == stored


@pytest.mark.parametrize("key", GAMES)
async def test_a_rule_set_of_any_preset_comes_back(store: Database, key: str) -> None:
    async with store.write() as tx:
        stored = await tx.rule_sets.add(RuleSet(RuleSetId(0), ANNAS, key, GAMES[key]))
    assert (await of(store, ANNAS))[0].game == stored.game == GAMES[key]


async def test_owners_have_their_own(store: Database) -> None:
    for owner in (ANNAS, BORISS, CLUBS):
        await add(store, owner)
    assert [each.owner for each in await of(store, BORISS)] == [BORISS]


async def test_a_name_is_there_once_whatever_its_case(store: Database) -> None:
    await add(store, name="Straße ﬁn")
    for name in ("STRASSE FIN", "straße ﬁn"):
        with pytest.raises(NameTaken):
            await add(store, name=name)
    await add(store, BORISS, "STRASSE FIN")


async def test_a_rule_set_can_be_renamed_also_in_its_case_alone(store: Database) -> None:
    first, second = await add(store, name="Opa"), await add(store, name="Oma")
    async with store.write() as tx:
        await tx.rule_sets.rename(first.id, "OPA")
    with pytest.raises(NameTaken):
        async with store.write() as tx:
            await tx.rule_sets.rename(second.id, "opa")
    assert [each.name for each in await of(store, ANNAS)] == ["OPA", "Oma"]


async def test_what_is_gone_cannot_be_renamed(store: Database) -> None:
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.rule_sets.rename(RuleSetId(1), "Opa")


async def test_an_id_is_never_given_again(store: Database) -> None:
    first = await add(store)
    async with store.write() as tx:
        await tx.rule_sets.remove(first.id)
        await tx.rule_sets.remove(first.id)
    assert (await add(store)).id > first.id


async def test_rule_sets_outlive_the_bot(url: str) -> None:
    async with Database.open(url) as store:
        stored = await add(store)
    async with Database.open(url) as store:
        assert await of(store, ANNAS) == [stored]


async def test_of_many_at_once_no_more_are_made_than_may_be(store: Database) -> None:
    sets = UseCases.over(store, seeds=lambda: 1).rule_sets
    made = await asyncio.gather(
        *(sets.make(ANNAS, UserId(1), f"Nr {number}", EXTRA, None) for number in range(MAX_RULE_SETS + 3)),
        return_exceptions=True,
    )
    refused = [each for each in made if isinstance(each, Refused)]
    assert [each.key for each in refused] == [Reason.TOO_MANY_RULE_SETS] * 3
    assert len(await of(store, ANNAS)) == MAX_RULE_SETS


async def test_nobody_touches_the_rule_sets_of_another_owner(store: Database) -> None:
    sets = UseCases.over(store, seeds=lambda: 1).rule_sets
    annas = await sets.make(ANNAS, UserId(1), NAME, EXTRA, None)
    for attempt in (
        sets.load(annas.id, BORISS, CLUBS),
        sets.rename(annas.id, BORISS, UserId(1), "Mine"),
        sets.delete(annas.id, CLUBS, UserId(1)),
    ):
        with pytest.raises(Refused) as refused:
            await attempt
        assert refused.value.key == Reason.NO_RULE_SET
    assert await of(store, ANNAS) == [annas]


async def test_a_match_keeps_the_name_of_a_deleted_rule_set(store: Database) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 1)
    own = await use_cases.rule_sets.make(ANNAS, UserId(1), NAME, EXTRA, None)
    terms = own.apply(Terms(GAMES["quick"], parse_control("1h")))
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), terms, NOON)
    await use_cases.rule_sets.delete(own.id, ANNAS, UserId(1))
    challenge, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    assert match is not None
    async with store.read() as reader:
        kept = await reader.matches.get(match.id)
    assert kept is not None
    assert (kept.rule_set, challenge.terms.rule_set, kept.game.options["extra-move"]) == (NAME, NAME, "on")


async def test_the_next_match_keeps_the_name(store: Database) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 1)
    terms = Terms(EXTRA, parse_control("1h"), rule_set=NAME)
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), terms, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    assert match is not None
    await use_cases.actions.abort(match.id, ANNA, NOON, IdempotencyKey(1))
    assert (await use_cases.challenges.rematch(match.id, ANNA, NOON)).terms.rule_set == NAME


async def test_terms_that_were_stored_before_have_no_name(store: Database, url: str) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 1)
    terms = Terms(EXTRA, parse_control("1h"))
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), terms, NOON)
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        as_before = "REPLACE(CAST(terms AS TEXT), ', \"rule_set\": null', '')"
        if engine.dialect.name == "postgresql":
            as_before = f"CAST({as_before} AS JSON)"
        await connection.execute(text(f"UPDATE challenge SET terms = {as_before}"))  # noqa: S608 - constants
        stored = (await connection.execute(text("SELECT CAST(terms AS TEXT) FROM challenge"))).scalar_one()
    await engine.dispose()
    assert "rule_set" not in stored
    assert (await use_cases.challenges.load(challenge.id)).terms == replace(terms)
