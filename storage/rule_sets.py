"""Own rule sets in SQL."""

from dataclasses import replace

from sqlalchemy import bindparam, delete, insert, select, update

from play.challenge.terms import Owner, RuleSet, fold
from play.clock import parse_control
from play.ids import RuleSetId
from rules.registry import renew_game
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import NameTaken
from storage.statements import AnyRow, Repository, Values

_rule_set = schema.rule_set.c
_OF_USER = select(schema.rule_set).where(_rule_set.user == bindparam("owner")).order_by(_rule_set.id)
_OF_GUILD = select(schema.rule_set).where(_rule_set.guild == bindparam("owner")).order_by(_rule_set.id)


class RuleSetReader(Repository):
    """Own rule sets, as reads see them."""

    __slots__ = ()

    async def get(self, rule_set: RuleSetId) -> RuleSet | None:
        row = await self._sql.first(select(schema.rule_set).where(_rule_set.id == rule_set))
        return None if row is None else _read(row)

    async def of(self, owner: Owner) -> list[RuleSet]:
        """Returns the rule sets of a player or a server in the order in which they were made."""
        theirs, number = (_OF_USER, owner.user) if owner.guild is None else (_OF_GUILD, owner.guild)
        return [_read(row) for row in await self._sql.all(theirs, owner=number)]


class RuleSetRepository(RuleSetReader):
    """Own rule sets, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction pass this point until this one ends, so that a count stays true."""
        await self._sql.lock(schema.rule_set)

    async def add(self, rule_set: RuleSet) -> RuleSet:
        """Stores a new rule set; returns it with its id. Raises NameTaken."""
        named = {**rule_set.owner._asdict(), "name": rule_set.name, "folded": fold(rule_set.name)}
        added = insert(schema.rule_set).values({**named, **_rules(rule_set)}).returning(_rule_set.id)
        with raises_on_conflict(NameTaken):
            return replace(rule_set, id=await self._sql.value(added))

    async def rename(self, rule_set: RuleSetId, name: str) -> None:
        """Stores another name. Raises NameTaken, or Stale if the rule set is gone."""
        with raises_on_conflict(NameTaken):
            await self._sql.change(
                update(schema.rule_set).where(_rule_set.id == rule_set).values(name=name, folded=fold(name))
            )

    async def change(self, rule_set: RuleSet) -> None:
        """Stores other rules, with their clock. Raises Stale if the rule set is gone."""
        changed = update(schema.rule_set).where(_rule_set.id == rule_set.id)
        await self._sql.change(changed.values(_rules(rule_set)))

    async def remove(self, rule_set: RuleSetId) -> None:
        """Deletes a rule set, if it is there."""
        await self._sql.execute(delete(schema.rule_set).where(_rule_set.id == rule_set))


def _rules(rule_set: RuleSet) -> Values:
    return {
        "game": rule_set.game.key,
        "options": dict(rule_set.game.options),
        "control": rule_set.control and str(rule_set.control),
    }


def _read(row: AnyRow) -> RuleSet:
    control = row.control and parse_control(row.control)
    return RuleSet(row.id, Owner(row.user, row.guild), row.name, renew_game(row.game, row.options), control)
