"""Every key that the code uses has its sentence, whose placeholders are all filled in."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import discord
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.features.registry import FEATURES
from bot.interactions.command_tree import CommandTree
from bot.markup import DISCORD, DiscordMarkup
from play.challenge.challenge import ChallengeState
from play.clock import parse_control
from play.refusal import Reason
from presentation.markup import PLAIN
from presentation.words.words import CATALOGUES, SOURCE, languages
from rules.registry import GAMES
from tests.python_texts import parsed

ROOT = Path(__file__).parents[3]
SAYING = {"words", "plain", "own", "here", "self"}
REFUSING = {"Refused", "IllegalMove", "BadNotation", "BadOption"}
ALWAYS_GIVEN = {"example", "other"}
"""Details of every refusal: crossings that the board has, for examples of moves (`presentation.refusals`)."""
SMALLEST_SIDE = 7
"""Crossings: G7 is the last one of the smallest board of Dot Dash, whose examples are fixed."""
TALKING = ("bot/", "chat/", "play/", "presentation/", "web/")
GAME_FOLDERS = sorted({type(game).__module__.rpartition(".")[0].replace(".", "/") + "/" for game in GAMES.values()})
"""Folders that raise refusals, besides those that talk. Games that no player can choose yet have no words."""


class Call(NamedTuple):
    """A call of a function whose first argument is a key."""

    function: str
    pattern: str
    details: set[str]
    place: str


@cache
def catalogue(language: str) -> Catalog:
    with (CATALOGUES / language / "LC_MESSAGES" / "kropka.po").open("rb") as file:
        return read_po(file, locale=language)


@cache
def sentences(language: str) -> dict[str, Message]:
    found = {}
    for message in catalogue(language):
        key = message.id if isinstance(message.id, str) else message.id[0]
        if key:
            found[key] = message
    return found


def texts(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


CROSSING = re.compile(r"(?<![\w#{<:/])([A-Z]{1,2})(\d{1,2})(?![\w}])")
OF_DASH = (
    "refused.no_five",
    "modal.description.dash",
    "refused.set_up_due",
    "refused.dash_due",
    "refused.no_choice",
    "refused.no_turn",
)


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_examples_of_crossings_are_on_every_board(language: str) -> None:
    """The smallest board is 5x5, that of Dot Dash 7x7. Rules, pictures and the front page have boards of their own."""
    beyond = {
        f"{key}: {column}{row}"
        for key, message in sentences(language).items()
        if not key.startswith(("picture.", "rules.", "web.front."))
        for text in texts(message)
        for column, row in CROSSING.findall(text)
        if column > "EG"[key in OF_DASH] or int(row) > (5, 7)[key in OF_DASH]
    }
    assert beyond == set()


def placeholders(message: Message) -> set[str]:
    return {name for text in texts(message) for _, name, _, _ in Formatter().parse(text) if name}


def fields(message: Message) -> set[str]:
    """Returns the placeholders that the code fills in: not those that name a command or an option."""
    return {name for name in placeholders(message) if name[0] not in "/#"}


@cache
def calls() -> list[Call]:
    """Returns every call in the code that may say a sentence, refuse with one or fill in a template with one."""
    found = []
    for path in (path for folder in (*TALKING, *GAME_FOLDERS) for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and (key := key_pattern(node.args[0])) is not None:
                details = {keyword.arg or "**" for keyword in node.keywords}
                found.append(Call(called(node.func), key, details, f"{path.relative_to(ROOT)}:{node.lineno}"))
    return found


def spoken() -> list[Call]:
    return [call for call in calls() if call.function in SAYING and call.place.startswith(TALKING)]


def templates() -> list[Call]:
    return [call for call in calls() if call.function == "template" and call.place.startswith(("bot/", "web/"))]


def refused() -> list[Call]:
    found = (call for call in calls() if call.function in REFUSING)
    return [
        call._replace(pattern=f"refused\\.(?:{call.pattern})", details=call.details | ALWAYS_GIVEN) for call in found
    ]


def called(function: ast.expr) -> str:
    """Returns the name of a function that is called, without what it belongs to."""
    if isinstance(function, ast.Subscript):
        return called(function.value)
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def key_pattern(key: ast.expr) -> str | None:
    """Returns a pattern of the keys that an argument may be; None if it is no key."""
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return re.escape(key.value)
    if isinstance(key, ast.Attribute) and called(key.value) == "Reason":
        return Reason[key.attr].value
    if isinstance(key, ast.Call) and called(key.func) == "Reason":
        return key_pattern(key.args[0])
    if isinstance(key, ast.IfExp):
        return f"{key_pattern(key.body)}|{key_pattern(key.orelse)}"
    if isinstance(key, ast.JoinedStr):
        return "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.-]+" for part in key.values
        )
    return None


@cache
def keys_of(pattern: str) -> list[str]:
    """Returns the keys of the sentences that a call may ask for."""
    found: list[str] = re.findall(f"^(?:{pattern})$", "\n".join(sentences(SOURCE)), re.MULTILINE)
    return found


def test_the_walk_finds_the_calls() -> None:
    assert len(spoken()) > 500
    assert len(refused()) > 250


def test_every_key_has_a_sentence_that_asks_for_what_is_given() -> None:
    said = spoken() + refused()
    faults = [f"{call.place}: no sentence for {call.pattern}" for call in said if not keys_of(call.pattern)]
    faults += [
        f"{call.place}: {key} asks for {', '.join(sorted(lacking))}"
        for call in said
        if "**" not in call.details
        for key in keys_of(call.pattern)
        if (lacking := fields(sentences(SOURCE)[key]) - call.details - {"platform"})
    ]
    assert not faults, "\n".join(faults)


def test_every_sentence_is_used() -> None:
    used = {key for call in spoken() + templates() + refused() for key in keys_of(call.pattern)}
    unused = sentences(SOURCE).keys() - used
    assert not unused, "\n".join(sorted(unused))


OF_ONE_PLATFORM = {
    "what only it has": "chat.elsewhere chat.invite chat.nowhere",
    "its Activity": (
        "button.launch refused.not_confirmed refused.picture_not_taken web.activity.denied web.activity.nothing"
        " web.activity.unheard web.board.unshared web.link.no_activity"
    ),
    "its sign-in, linked roles, role rewards and events": (
        "linked.ended me.link_ended me.linked refused.link_not_taken rewards.trouble.refused server.events.off"
        " server.events.on web.linked.about web.linked.go web.linked.linked web.linked.seen web.linked.undo"
        " web.way.sign_in"
    ),
    "its servers: threads, membership, languages, slow mode": (
        "check.slow_mode refused.pending refused.thread_alone refused.thread_waits server.language.community"
        " server.language.players turn.no_thread turn.waits web.front.add"
    ),
    "competitions, posts and votes, which are there alone": (
        "home.trouble.refused kept.trouble.refused refused.account_too_new refused.league_young_account"
        " refused.vote_predicted web.server.no_ladder web.server.no_league web.server.no_tournaments"
    ),
    "its client": "refused.bad_command",
    "how platforms are called": "platform.discord platform.matrix platform.telegram",
    "what servers there were told of a release": "release.news",
}
"""The sentences that name a platform, nearly all Discord, by what of it they are about. Others have `{platform}`."""


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_a_sentence_names_a_platform_only_where_that_one_is_meant(language: str) -> None:
    meant = {key for keys in OF_ONE_PLATFORM.values() for key in keys.split()}
    named = {
        key
        for key, message in sentences(language).items()
        if any(name in text for text in texts(message) for name in ("Discord", "Matrix", "Telegram"))
    }
    assert named <= meant, sorted(named - meant)
    assert language != SOURCE or named == meant, sorted(meant - named)


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_a_sentence_of_the_surface_names_the_platform_of_the_words(language: str) -> None:
    assert "Discord" in languages().speaking(DISCORD).of(language)("refused.chat_away")
    assert "Discord" in languages().speaking(DISCORD).of(language).plain("web.way.chat")
    assert "Matrix" in languages().speaking(PLAIN, "Matrix").of(language)("refused.chat_away")


@cache
def commands() -> dict[str, set[str]]:
    """Returns the options of every command and subcommand by its name; a group has none."""
    client = discord.Client(intents=discord.Intents.none())
    tree = CommandTree(client, languages(), FEATURES)
    return {
        each.qualified_name: {parameter.name for parameter in getattr(each, "parameters", ())}
        for each in tree.walk_commands()
    }


UNCLICKABLE = ("command.", "button.", "modal.", "name.", "alt.", "picture.", "start.", "level.")
"""How the keys of sentences begin that Discord shows without mentions: in its menus, on buttons and in pictures."""


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_sentences_mention_commands_that_exist_and_where_they_can_be_clicked(language: str) -> None:
    groups = {name.split()[0] for name in commands() if " " in name}
    options = {option for options in commands().values() for option in options}
    for key, message in sentences(language).items():
        for name in placeholders(message):
            if name.startswith("/"):
                assert name[1:] in commands().keys() - groups, key
                assert not key.startswith(UNCLICKABLE), key
            elif name.startswith("#"):
                assert name[1:] in options, key


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_no_sentence_writes_a_command_out(language: str) -> None:
    words = languages().of(language)
    names = {root for name in commands() for root in (name.split()[0], words(f"name.{name.split()[0]}"))}
    for key, message in sentences(language).items():
        for text in texts(message):
            assert not names.intersection(re.findall(r"(?<![\w{/])/([\w-]+)", text)), key


def test_a_sentence_mentions_a_command_by_its_id_or_by_its_name_in_the_language() -> None:
    polish = languages().speaking(DISCORD).of("pl")
    linked = polish.speaking(DiscordMarkup({"settings": 5}))
    assert linked.command("settings me") == "</settings me:5>"
    assert polish.command("settings me") == "`/ustawienia moje`"
    assert "</settings me:5>" in linked("reminder.closed")
    assert "`/ustawienia moje`" in polish("reminder.closed")


def test_a_mention_appears_as_soon_as_its_id_is_known() -> None:
    ids: dict[str, int] = {}
    words = languages().speaking(DiscordMarkup(ids)).of("de")
    ids["settings"] = 5
    assert "</settings me:5>" in words("reminder.closed")


def test_a_missing_detail_is_an_error() -> None:
    with pytest.raises(KeyError, match="user"):
        languages().of()("refused.not_your_challenge")


def test_every_state_of_a_challenge_has_its_words() -> None:
    known = sentences(SOURCE)
    for state in set(ChallengeState) - {ChallengeState.OPEN}:
        assert f"card.state.{state}" in known
        assert f"refused.challenge_{state}" in known


def test_every_preset_has_a_name_and_help_of_one_paragraph() -> None:
    known = sentences(SOURCE)
    for key in GAMES:
        assert f"preset.{key}.name" in known
        assert 0 < len(str(known[f"preset.{key}.help"].string)) <= 350


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_a_translation_has_the_keys_and_the_placeholders_of_the_source(language: str) -> None:
    source, translated = sentences(SOURCE), sentences(language)
    assert set(translated) == set(source)
    for key, message in translated.items():
        assert fields(message) == fields(source[key]), key


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_the_head_of_a_catalogue_names_the_language_of_its_folder(language: str) -> None:
    text = (CATALOGUES / language / "LC_MESSAGES" / "kropka.po").read_text(encoding="utf-8")
    assert f'"Language: {language}\\n"' in text.partition("\n\n")[0]


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_a_translation_has_every_plural_form_and_no_empty_sentence(language: str) -> None:
    source, forms = sentences(SOURCE), catalogue(language).num_plurals
    for key, message in sentences(language).items():
        texts = [message.string] if isinstance(message.string, str) else list(message.string or ())
        assert len(texts) == (forms if source[key].pluralizable else 1), key
        assert all(text.strip() for text in texts), key


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
def test_examples_of_moves_are_crossings_that_every_board_has(language: str) -> None:
    """An answer to a player names crossings of their board by placeholders, or such as the smallest board has."""
    for key, message in sentences(language).items():
        if key.startswith(("refused.", "move.", "modal.", "point.", "plan.", "keypad.")):
            for text in texts(message):
                named = re.findall(r"\b([A-Z])(\d{1,2})\b", text)
                outside = [f"{column}{row}" for column, row in named if column > "G" or int(row) > SMALLEST_SIDE]
                assert not outside, f"{key}: {outside}"


def test_a_key_without_a_sentence_is_an_error() -> None:
    with pytest.raises(KeyError):
        languages().of()("no.such.key")


def test_a_language_without_a_catalogue_falls_back_to_english() -> None:
    assert languages().of("ja")("resign.not") == "Game on! You haven't resigned."


def test_counts_choose_the_plural_form() -> None:
    words = languages().of("en-GB")
    assert [words("turn.captures", count=count) for count in (1, 2)] == ["captured 1 dot", "captured 2 dots"]


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("3d", "3 days per move"),
        ("36h", "36 hours per move"),
        ("1d", "1 day per move"),
        ("10m+30s", "10 minutes in total, plus 30 seconds per move"),
    ],
)
def test_a_clock_is_told_in_words(control: str, text: str) -> None:
    assert languages().of().control(parse_control(control)) == text
