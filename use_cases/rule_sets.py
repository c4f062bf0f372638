"""The use cases of own rule sets: make, list, rename, delete."""

from dataclasses import replace

from play.challenge.terms import MAX_RULE_SETS, Owner, RuleSet
from play.clock import TimeControl
from play.community.news import LogAction, LogEntry
from play.ids import RuleSetId, UserId
from play.refusal import Reason, Refused
from rules.game import AnyGame
from storage import Database
from storage.errors import NameTaken, Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Events, log_entry, logged
from use_cases.match_writer import irreversible


class RuleSets:
    """What players do with their own rule sets, and managers, `by`, with those of a server. All methods raise
    Refused."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def of(self, *owners: Owner) -> list[RuleSet]:
        """Returns the rule sets of the owners, one owner after the other."""
        async with self._store.read() as reader:
            return [each for owner in owners for each in await reader.rule_sets.of(owner)]

    async def load(self, rule_set: RuleSetId, *owners: Owner) -> RuleSet:
        """Returns a rule set of one of the owners. Raises Refused (`no_rule_set`), also for one of another owner."""
        async with self._store.read() as reader:
            return await _load(reader, rule_set, *owners)

    @logged
    async def make(self, owner: Owner, by: UserId, name: str, game: AnyGame, control: TimeControl | None) -> RuleSet:
        """Stores rules under a name. Raises Refused (`too_many_rule_sets`, `rule_set_name_taken`)."""
        try:
            async with self._store.write() as tx:
                await tx.rule_sets.lock()
                if len(await tx.rule_sets.of(owner)) >= MAX_RULE_SETS:
                    raise Refused(Reason.TOO_MANY_RULE_SETS, most=MAX_RULE_SETS)
                made = await tx.rule_sets.add(RuleSet(RuleSetId(0), owner, name, game, control))
                await _log(tx, made, LogAction.RULES_MADE, by)
        except NameTaken as taken:
            raise Refused(Reason.RULE_SET_NAME_TAKEN, name=name) from taken
        self._events.news_added()
        return made

    @logged
    async def rename(self, rule_set: RuleSetId, owner: Owner, by: UserId, name: str) -> RuleSet:
        """Gives a rule set another name. Raises Refused (`no_rule_set`, `rule_set_name_taken`)."""
        try:
            async with self._store.write() as tx:
                renamed = replace(await _load(tx, rule_set, owner), name=name)
                await tx.rule_sets.rename(rule_set, name)
                await _log(tx, renamed, LogAction.RULES_RENAMED, by)
        except NameTaken as taken:
            raise Refused(Reason.RULE_SET_NAME_TAKEN, name=name) from taken
        except Stale as gone:
            raise Refused(Reason.NO_RULE_SET) from gone
        self._events.news_added()
        return renamed

    @logged
    async def change(
        self, rule_set: RuleSetId, owner: Owner, by: UserId, game: AnyGame, control: TimeControl | None
    ) -> None:
        """Gives a rule set other rules. Games and challenges keep the old ones. Raises Refused (`no_rule_set`)."""
        try:
            async with self._store.write() as tx:
                found = await _load(tx, rule_set, owner)
                await tx.rule_sets.change(replace(found, game=game, control=control))
                await _log(tx, found, LogAction.RULES_CHANGED, by)
        except Stale as gone:
            raise Refused(Reason.NO_RULE_SET) from gone
        self._events.news_added()

    @logged
    @irreversible
    async def delete(self, rule_set: RuleSetId, owner: Owner, by: UserId) -> None:
        """Deletes a rule set. Games and challenges keep its rules and its name. Raises Refused (`no_rule_set`)."""
        async with self._store.write() as tx:
            found = await _load(tx, rule_set, owner)
            await tx.rule_sets.remove(rule_set)
            await _log(tx, found, LogAction.RULES_DELETED, by)
        self._events.news_added()


async def _log(tx: Transaction, rule_set: RuleSet, action: LogAction, by: UserId) -> None:
    """Logs what was done to rules of a server."""
    if rule_set.owner.guild is not None:
        await log_entry(tx, rule_set.owner.guild, LogEntry(action, by, detail=(rule_set.name,)))


async def _load(reader: Reader, rule_set: RuleSetId, *owners: Owner) -> RuleSet:
    found = await reader.rule_sets.get(rule_set)
    if found is None or found.owner not in owners:
        raise Refused(Reason.NO_RULE_SET)
    return found
