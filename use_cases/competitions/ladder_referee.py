"""The referee of ladders: decides the duels whose match, or whose challenge, is over."""

from play.community.news import News, NewsId, NewsKind
from play.competitions import ladder as ladders
from play.competitions.ladder import Duel, Ladder
from play.ids import ChallengeId, GuildId
from storage import Database
from storage.unit_of_work import Transaction
from use_cases.competitions.ladders import load_ladder
from use_cases.events import Events
from use_cases.match_writer import retry_on_conflict
from use_cases.worker import Timing, Worker


class LadderReferee(Worker[tuple[GuildId, ChallengeId]]):
    """Decides duels, and adds news of them."""

    def __init__(self, store: Database, events: Events, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._events = events

    async def pending(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        async with self._store.read() as reader:
            return await reader.ladders.decided_duels(limit)

    async def process(self, key: tuple[GuildId, ChallengeId]) -> None:
        guild, number = key

        async def attempt() -> None:
            async with self._store.write() as tx:
                ladder = await load_ladder(tx, guild)
                duel = next((each for each in ladder.duels if each.challenge == number), None)
                if duel is not None:  # else another process was faster
                    await _decide(tx, ladder, duel)

        await retry_on_conflict(attempt)
        self._events.news_added()
        self._events.ladder_changed()


async def _decide(tx: Transaction, ladder: Ladder, duel: Duel) -> None:
    challenge = await tx.challenges.get(duel.challenge)
    assert challenge is not None, "a duel is by a challenge"
    match = None if challenge.match is None else await tx.matches.get(challenge.match)
    annulled = match is not None and await tx.careers.annulment_of(match.id)
    ending = None if annulled else ladders.judge_duel(duel, challenge, match)
    if ending is None:
        await tx.ladders.save(ladders.drop_duel(ladder, duel), ladder)
        return
    now = await tx.clock.now()
    won = ending.takes_place
    kind = NewsKind.CLIMBED if won else NewsKind.HELD
    changed = await tx.ladders.save(ladders.decide_duel(ladder, duel, now, won=won), ladder)
    place = changed.place(duel.challenger if won else duel.defender)
    await tx.news.add(News(NewsId(0), kind, ladder.guild, ladder.channel, duel.challenge, now, place, ending))
