"""The use cases of own rule sets: make, list, rename, delete."""

from dataclasses import replace

from play.challenge.terms import MAX_RULE_SETS, Owner, RuleSet
from play.clock import TimeControl
from play.ids import RuleSetId
from play.refusal import Reason, Refused
from rules.game import AnyGame
from storage import Database
from storage.errors import NameTaken, Stale
from storage.unit_of_work import Reader
from use_cases.match_writer import irreversible


class RuleSets:
    """What players do with their own rule sets, and managers with those of a server. All methods raise Refused."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def of(self, *owners: Owner) -> list[RuleSet]:
        """Returns the rule sets of the owners, one owner after the other."""
        async with self._store.read() as reader:
            return [each for owner in owners for each in await reader.rule_sets.of(owner)]

    async def load(self, rule_set: RuleSetId, *owners: Owner) -> RuleSet:
        """Returns a rule set of one of the owners. Raises Refused (`no_rule_set`), also for one of another owner."""
        async with self._store.read() as reader:
            return await _load(reader, rule_set, *owners)

    async def make(self, owner: Owner, name: str, game: AnyGame, control: TimeControl | None) -> RuleSet:
        """Stores rules under a name. Raises Refused (`too_many_rule_sets`, `rule_set_name_taken`)."""
        try:
            async with self._store.write() as tx:
                await tx.rule_sets.lock()
                if len(await tx.rule_sets.of(owner)) >= MAX_RULE_SETS:
                    raise Refused(Reason.TOO_MANY_RULE_SETS, most=MAX_RULE_SETS)
                return await tx.rule_sets.add(RuleSet(RuleSetId(0), owner, name, game, control))
        except NameTaken as taken:
            raise Refused(Reason.RULE_SET_NAME_TAKEN, name=name) from taken

    async def rename(self, rule_set: RuleSetId, owner: Owner, name: str) -> RuleSet:
        """Gives a rule set another name. Raises Refused (`no_rule_set`, `rule_set_name_taken`)."""
        try:
            async with self._store.write() as tx:
                found = await _load(tx, rule_set, owner)
                await tx.rule_sets.rename(rule_set, name)
                return replace(found, name=name)
        except NameTaken as taken:
            raise Refused(Reason.RULE_SET_NAME_TAKEN, name=name) from taken
        except Stale as gone:
            raise Refused(Reason.NO_RULE_SET) from gone

    async def change(self, rule_set: RuleSetId, owner: Owner, game: AnyGame, control: TimeControl | None) -> None:
        """Gives a rule set other rules. Games and challenges keep the old ones. Raises Refused (`no_rule_set`)."""
        try:
            async with self._store.write() as tx:
                found = await _load(tx, rule_set, owner)
                await tx.rule_sets.change(replace(found, game=game, control=control))
        except Stale as gone:
            raise Refused(Reason.NO_RULE_SET) from gone

    @irreversible
    async def delete(self, rule_set: RuleSetId, owner: Owner) -> None:
        """Deletes a rule set. Games and challenges keep its rules and its name. Raises Refused (`no_rule_set`)."""
        async with self._store.write() as tx:
            await _load(tx, rule_set, owner)
            await tx.rule_sets.remove(rule_set)


async def _load(reader: Reader, rule_set: RuleSetId, *owners: Owner) -> RuleSet:
    found = await reader.rule_sets.get(rule_set)
    if found is None or found.owner not in owners:
        raise Refused(Reason.NO_RULE_SET)
    return found
