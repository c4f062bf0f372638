"""Interactions that no client of Discord sends are answered in words: no silence, and no incident."""

from __future__ import annotations

from typing import Any

import pytest

from bot.services.rate_limits import Rate, RateLimits
from loopback.permissions import Permission
from tests.bot import forging
from tests.bot.forging import BUTTON, CHANNEL_SELECT, ROLE_SELECT, STRING_SELECT, input_
from tests.bot.room import Room, private_words
from tests.bot.templates import COMPONENTS, FORMS, PLAIN

HUGE = 2**63
DRAFT = "zagram|20x20|c12|3d|d-||"
CUSTOM_IDS = (
    *PLAIN,
    *("match:1:0:more", "match:1:0:point", "match:1:0:keypad", "match:1:0:play:A1", "match:1:0:go:@A1"),
    *("match:1:0:stop", "match:1:0:land", "match:1:0:end", "match:1:0:resign", "match:1:0:sure:end"),
    *("match:1:0:review", "match:1:0:film", "match:1:0:record"),
    *("match:1:0:rules", "match:1:0:sure:abort", "match:1:0:hint", "match:1:0:hint:A1"),
    *("match:1:0:draw", "match:1:0:takeback", "match:1:0:abort", "match:1:0:agree:draw", "match:1:0:disagree:draw"),
    *("match:1:0:clock", "match:1:0:give:1d", "match:1:0:pause:1d", "match:1:0:resume", "match:1:0:keep:9"),
    *("match:1:0:look:stop:9", "match:1:0:hint:a1", "match:1:0:better:1.:A1", "match:1:0:better:0.99:?"),
    *("match:1:0:say", "match:1:0:phrase"),
    *("match:1:0:report", "seek:panel:1", "seek:look:live:0:0", "seek:look:days:1:1", "seek:1:leave", "seek:1:ready"),
    *("seek:name", "seek:report:1", "seat:1:sit", "seats:open", "seats:post"),
    *("seek:1:meanwhile", "friend:open", "friend:invite:days", "friend:1:withdraw", f"friend:accept:{'0' * 12}"),
    *("arena:join", "arena:pause", "arenapost:open"),
    *("match:1:0:quiet:1", "match:1:0:quiet:0", "match:1:0:web", "match:1:0:launch"),
    *("match:1:0:predict", "match:1:0:predict:result", "predict:table:2026q4", "predict:table:0000q1"),
    *("match:1:0:plan", "match:1:0:write_plan", "match:1:0:clear_plan", "match:1:0:rematch", "match:1:0:vacation"),
    *(
        "challenge:1:0:accept",
        "challenge:1:0:decline",
        "challenge:1:0:leave",
        "challenge:1:0:change",
        "challenge:1:0:fair",
    ),
    *("me:zone:", "me:zone:22:00-07:00", "me:zone:99:99-99:99"),
    *("me:theme", "me:confirm", "me:next", "me:language", "me:reminders", "me:clock", "me:usual", "me:forget"),
    *("me:steps", "me:pings"),
    *("server:theme", "server:language", "server:threads1", "server:usual"),
    *("server:forget", "server:shown"),
    *("home:open", "home:post", "home:stop", "home:1:0:accept"),
    *("begin:cards", "begin:tournament", "begin:vote", "begin:ladder:sure", "begin:contest:sure"),
    *("sets:me:list", "sets:server:list", "sets:me:open", "sets:me:new", "sets:me:1:name", "sets:me:1:usual"),
    *(f"terms:me:{DRAFT}:name", "terms:sm1:x|y:name", f"terms:sm1:{DRAFT}:save"),
    *("podium:role0", "podium:season", "podium:ratings"),
    *(f"terms:me:{DRAFT}:rules", f"terms:me:{DRAFT}:agreed", f"terms:me:{DRAFT}:save", f"terms:me:{DRAFT}:rated"),
    *(
        f"terms:c1.0:{DRAFT}:save",
        f"terms:n7:{DRAFT}:fair",
        f"terms:me:{DRAFT}:fair",
        f"terms:me:{DRAFT}:other-size",
        "terms:me:x|y:save",
        "terms:nobody:x|y:size",
    ),
    *("history:1:0:0", "profile:1:dots-live", "leaders:here:dots-live:-:0", "leaders:me:here:dots-live:-"),
    *("share:leaders:here:dots-live:-:0", "share:profile:1:-", "share:film:1", "share:review:1", "share:position:1:1"),
    *("match:1:0:replay", "replay:1:0:0", "replay:1:9:999999", "replay:1:turning:0", "replay:1:jump"),
    *("on:1:0", "on:1:9", "on:zagram:0", "on:chess:1", "on:1:0:0:anyone", "on:1:0:9:anyone", "on:zagram:0:1:anyone"),
    *("on:1:0:1:swap", "on:1:0:9:swap", "on:zagram:0:0:swap", "on:1:0:0:level", "on:1:0:0:friend"),
    *("tournament:1:join", "tournament:1:withdraw", "tournament:1:begin", "tournament:1:here"),
    "tournament:1:terms",
    *("tournament:1:players", "tournament:1:players:0", "tournament:1:remove:1", "tournament:1:expel:-1"),
    *(
        "kept:tournament.1.0",
        "kept:contest.1.1",
        "kept:league.1.0",
        "kept:ladder.1.0:0",
        "kept:home.1.0",
        "kept:daily.1.0",
    ),
    *(
        "games:withdraw:1",
        "moderate:1",
        "ruling:1",
        "tournament:1:sure:withdraw",
        "tournament:1:sure:cancel",
        "sets:me:1:sure",
    ),
    *("team:1:join", "team:1:leave", "team:1:sure", "team:1:withdraw", "team:listed:1"),
    *(f"team:{way}:{'0' * 12}" for way in ("accept", "decline")),
    *(f"link:join:{'0' * 12}", "link:part"),
    *(
        "match:1:0:votes",
        "match:1:0:vote:rematch",
        "match:1:0:vote:move:E5",
        "match:1:0:vote:draw:E5",
        "match:1:0:sure:draw",
        "team:1:begin",
        "team:1:begins",
        "vote:1:close",
        "vote:1:end",
        "vote:begin:0.4.0.24.3..0000",
        "vote:begin:x0.4.x0.1440m.3..0000.13x13.13800420",
        "vote:begin:x0.4.x0.1440m.3.again-1.0000.13x13.99999999",
    ),
    *("vote:accept:7.0.0.24.3..0000", "vote:decline:7.0.0.24.3.zagram.0000", "vote:begin:7.4.0.0.0.x.0000"),
    *("league:open:1", "league:page:1:1", "league:page:999:99"),
    "blocked:remove0",
    *("challenge:1:0:ask", "challenge:1:0:forfeit"),
    *("daily:2026-11-26:look", "daily:2026-11-26:0:go:@", "daily:2026-11-26:0:go:A1@*Z"),
    *("daily:2026-11-26:0:play:A1", "daily:2026-11-26:0:play:stop", "daily:2026-11-26:0:answer:9"),
    *("daily:2026-11-26:0:show", "daily:2026-11-26:0:point", "share:daily:2026-11-26", "daily:9999-99-99:look"),
    *("milestone:games-10", "milestone:games-9", "share:milestone:games-10"),
    *("year:own", "year:own:1000", "year:own:9999", "year:server", "year:server:1999", "share:year:2026"),
    *("share:year:1000", "share:server-year:2026", "share:server-year:9999"),
    *("dailypost:open", "dailypost:post", "dailypost:choices1"),
    *("puzzle:1:0", "rush:1:0:0", "lesson:0", "lesson:0:A1"),
    *("learn:capture", "learn:capture:A1", "learn:nothing", "path:0", "path:1", "path:9"),
    *("drill:fork", "drill:nothing", "drill:fork:101::go:A1@", "drill:fork:101:aabb:show", "drill:fork:101::point"),
    *("mistake:1:1:go:A1@", "mistake:1:1:go:@C3", "mistake:1:1:show", "mistake:1:1:point"),
    *("mistake:1:1:play:A1", "drill:fork:101::play:A1"),
    *("train:kinds", "train:net", "train:net:101::go:A1@", "train:net:101:aabb:show", "train:net:999999::point"),
    *("train:net:101::play:A1", "back:101::0", "back:101:aabb:99", "back:999999::1"),
    *("learn:capture:go:D3@", "learn:capture:go:@A1", "learn:nothing:go:@", "learn:cut:go:A1@"),
    *("taught:1:go:@", "taught:1:go:A1@", "taught:1:play:A1", "taught:1:show", "taught:1:point"),
    *("taught:list:0", "taught:list:9", "taught:999999999999999:show"),
    *("learn:capture:play:stop", "learn:capture:show", "learn:capture:point"),
    *("puzzle:1:go:@", "puzzle:1:go:A1@", "puzzle:1:play:A1", "puzzle:1:show", "puzzle:1:point"),
    *(f"terms:{target}:{DRAFT}:{what}" for target in ("n7", "t1", "ladder") for what in ("save", "win", "other-win")),
    *("help:1", "help:99", "help:purposes", "rules:on:x", "vacation:7", "vacation:999"),
    *("vacation:7:anyway", "vacation:999:anyway", f"terms:n0:{DRAFT}:opponent", f"terms:me:{DRAFT}:opponent"),
    *("import:zagram:0:0", "import:zagram:film", "import:no-such:0:0"),
    *("replay:zagram:0:0", "replay:no-such:5:9", "replay:zagram:jump:8", "share:position:zagram:1"),
)
LARGE = (
    *(f"history:{HUGE}:0:0", f"history:1:{HUGE}:0", f"history:{'9' * 20}:{'9' * 20}:999999", f"history:{HUGE - 1}:0:0"),
    *(f"profile:{HUGE}:dots-live", f"profile:{'9' * 20}:dots-live", "profile:1:no-such"),
    *("leaders:here:no-such:-:0", "leaders:all:no-such:-:0", "leaders:me:all:no-such:-"),
    *("leaders:all:dots-live:0000q1:0", "leaders:all:dots-live:9999q4:0", "leaders:all:dots-live:-:999999"),
    *("share:leaders:here:no-such:-:0", "share:leaders:all:dots-live:0000q1:999999", f"share:profile:{HUGE}:no-such"),
    *(f"share:profile:{HUGE}:-", f"share:film:{'9' * 18}", f"share:review:{'9' * 18}"),
    *(f"share:position:{'9' * 18}:999999", f"replay:{'9' * 15}:0:999999", f"replay:{'9' * 15}:turning:999999"),
    *("match:1:0:better:9999.9999:A1", f"match:1:0:better:1.:{'A' * 24}"),
    *("match:999999999999999:999999999:resign", f"match:{HUGE}:0:resign", f"challenge:{HUGE}:0:accept"),
    *(f"team:{HUGE}:join", "team:999999999999999:withdraw", f"team:accept:{'Z' * 12}"),
    *(f"home:{HUGE}:0:accept", "home:999999999999999:0:accept"),
    *("challenge:999999999999999:0:accept", f"tournament:{HUGE}:join", "tournament:999999999999999:begin"),
    *(f"tournament:{HUGE}:remove:{'9' * 20}", f"tournament:1:expel:-{'9' * 20}", f"games:withdraw:{HUGE}"),
    *(f"terms:n{'9' * 20}:{DRAFT}:save", f"terms:t{'9' * 15}:{DRAFT}:save"),
    *(f"sets:me:{HUGE}:show", "sets:me:999999999999999:sure", "sets:server:999999999999999:show"),
    *(f"kept:league.{'9' * 20}.0", f"kept:tournament.{HUGE}.0:9", f"kept:contest.{HUGE}.1"),
    *(f"moderate:{'9' * 20}", f"tournament:{HUGE}:sure:withdraw", "tournament:999999999999999:sure:cancel"),
    *(f"puzzle:{HUGE}:1", "puzzle:999999999999999:9", "rush:999999999999999:9:9", "help:99", "import:zagram:5:99999"),
)


@pytest.fixture
def run_options() -> dict[str, Any]:
    many = Rate(9000, 0.001)
    return {"limits": RateLimits(many, many, cards=many)}


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    """Lets Ola manage the server, and starts a match."""
    await room.start_match(size="9x9")
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)


def test_every_template_is_attacked() -> None:
    attacked = {button for each in CUSTOM_IDS for button in COMPONENTS if _fits(button, each)}
    assert attacked == set(COMPONENTS)


def _fits(button: Any, custom_id: str) -> bool:
    return bool(button.__discord_ui_compiled_template__.fullmatch(custom_id))


async def check_answer(room: Room, interaction: Any) -> None:
    """Raises AssertionError where a user would see nothing, or an incident."""
    outcome = await interaction.answered()
    assert outcome.kind != "failed", interaction.data
    words = " ".join(message.text for message in interaction.messages)
    assert "Something went wrong" not in words, (interaction.data, words)
    assert room.discord.problems == [], (interaction.data, room.discord.problems)


SHAPES: dict[str, dict[str, Any]] = {
    "a button": {"kind": BUTTON},
    "a button sent as a select": {"kind": BUTTON, "sent_as": STRING_SELECT, "values": ["x"]},
    "a button sent as an empty select": {"kind": BUTTON, "sent_as": STRING_SELECT},
    "a select sent as a button": {"kind": STRING_SELECT, "sent_as": BUTTON},
    "a select without values": {"kind": STRING_SELECT},
    "a select of nothing": {"kind": STRING_SELECT, "values": []},
    "a select of what was not offered": {"kind": STRING_SELECT, "values": ["no such"]},
    "a select of too much": {"kind": STRING_SELECT, "values": ["x"] * 30},
    "a select of a number": {"kind": STRING_SELECT, "values": [7]},
    "a role of 64 bits": {"kind": ROLE_SELECT, "values": [str(HUGE)]},
    "a role that is none": {"kind": ROLE_SELECT, "values": ["x"]},
    "a channel beyond all numbers": {"kind": CHANNEL_SELECT, "values": [str(10**30)]},
}
SMOKE = ("a button", "a select of what was not offered", "a select of a number")


@pytest.mark.contest
@pytest.mark.parametrize(
    "shape",
    [pytest.param(shape, id=name, marks=[pytest.mark.smoke] * (name in SMOKE)) for name, shape in SHAPES.items()],
)
async def test_a_component_that_is_none_of_ours_is_answered(room: Room, shape: dict[str, Any]) -> None:
    for custom_id in CUSTOM_IDS:
        await check_answer(room, forging.click(room, room.ola, room.channel, custom_id, **shape))


async def test_a_number_beyond_all_numbers_is_answered(room: Room) -> None:
    for custom_id in LARGE:
        await check_answer(room, forging.click(room, room.ola, room.channel, custom_id))


@pytest.mark.parametrize("name", ["replay", "export game", "moderate annul"])
async def test_a_game_of_an_impossible_number_is_not_known(room: Room, name: str) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    for game in (2**53, HUGE - 1, HUGE, 10**30, -1, -HUGE - 1, 0):
        asked = forging.send_command(room, room.ola, room.channel, name, {"game": game})
        await check_answer(room, asked)
        words = await private_words(asked)
        # A number of more than 64 bits arrives as a fraction, which is the number of no game.
        assert "`/" in words or "choose from its lists" in words, (game, words)


FORGED_FORMS = (
    "daily:2026-11-26:0:point",
    "match:1:0:point",
    "match:1:0:plan",
    "me:clock",
    "seek:name",
    f"terms:me:{DRAFT}:other-size",
    "feedback",
    "begin:tournament:name",
    "sets:me:new",
    "sets:me:1:name",
    f"terms:me:{DRAFT}:name",
    "replay:1:jump",
    "mistake:1:1:point",
    "drill:fork:101::point",
    "train:net:101::point",
    "learn:capture:point",
    "taught:1:point",
    "puzzle:1:point",
)


def test_every_form_is_attacked() -> None:
    assert {form for each in FORGED_FORMS for form in FORMS if form.id_form.pattern.fullmatch(each)} == set(FORMS)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "components",
    [
        [],
        [input_("other", "x")],
        [input_("point", "A1"), input_("point", "B2"), input_("extra", "x")],
        [input_("value", None), input_("zone", 7), input_("night", ["x"])],
        [{"type": 1, "components": [{"type": 4, "custom_id": "point", "value": "A1"}]}],
        [input_(field, "x" * 6000) for field in ("point", "line", "value", "zone", "night", "name", "text", "contact")],
        [{"type": 18, "id": 1}, {"type": 18, "id": 2, "component": None}],
    ],
    ids=["empty", "another field", "twice", "no text", "in a row", "too long", "labels alone"],
)
async def test_a_form_with_fields_missing_or_too_many_is_answered(room: Room, components: Any) -> None:
    for custom_id in (*FORGED_FORMS, "no:such:form", f"match:{HUGE}:0:point"):
        await check_answer(room, forging.submit(room, room.ola, room.channel, custom_id, components))


NEVER_OFFERED: tuple[tuple[str, dict[str, str | int | bool]], ...] = (
    ("challenge", {"rules": "no-such"}),
    ("challenge", {"start": "no-such"}),
    ("challenge", {"breaks": "no-such"}),
    ("challenge", {"colour": "no-such"}),
    ("challenge", {"computer": 99}),
    ("challenge", {"players": 99}),
    ("challenge", {"ratings": "x" * 6000}),
    ("challenge", {"no_such_option": "x"}),
    ("rules", {"rules": "no-such"}),
    ("leaderboard", {"kind": "no-such", "everywhere": True}),
    ("leaderboard", {"everywhere": True, "season": "x" * 6000}),
    ("tournament create", {"name": "x", "format": "no-such"}),
    ("tournament create", {"name": "x", "format": "swiss", "rounds": 99}),
    ("tournament create", {"name": "x" * 6000, "format": "swiss"}),
    ("tournament create", {"name": "x", "format": "swiss", "rules": "no-such"}),
    ("vacation", {"days": 999}),
    ("move", {"point": "x" * 6000}),
    ("move", {}),
    ("move", {"point": 7}),
)


async def test_an_option_that_was_never_offered_is_refused_in_words(room: Room) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    for path, options in NEVER_OFFERED:
        asked = forging.send_command(room, room.ola, room.channel, path, options)
        await check_answer(room, asked)
        assert any(message.ephemeral and message.text for message in asked.messages), (path, options)
