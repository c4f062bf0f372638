from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.bot import eight_weeks
from tests.bot.eight_weeks import checks, happenings
from tests.bot.eight_weeks.happenings import DAYS, Story, judge_cup
from tests.bot.room import Room
from tests.clock import DAY


@pytest.mark.contest
async def test_eight_weeks_of_two_servers(room: Room) -> None:
    story = Story(room)
    story.settle_members()
    await room.pass_time(8 * DAY)
    await story.set_up()
    judged = False
    for day in range(7 * checks.WEEKS):
        for happening in DAYS.get(day, ()):
            await happening(story)
        judged = judged or await judge_cup(story)
        if day % 7 < checks.SOLVED:
            await story.solve_daily(story.players(story.guild, 2))
        await story.pass_day()
    await checks.check_all(story)


def test_what_shows_each_finding_is_there() -> None:
    rows = re.findall(r"^\| (\d+) \|.*\| (.+) \|$", eight_weeks.__doc__ or "", re.MULTILINE)
    assert [int(number) for number, _ in rows] == [*range(1, 16)]
    for _, shown in rows:
        for name in re.findall(r"`(.+?)`", shown):
            file, _, test = name.partition("::")
            if test:
                assert f"def {test}(" in Path(file).read_text()
            else:
                module, _, function = name.partition(".")
                assert hasattr({"checks": checks, "happenings": happenings}[module], function)
