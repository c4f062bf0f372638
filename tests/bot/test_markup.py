"""Sentences in Discord's marks."""

from __future__ import annotations

import pickle

import pytest

from bot.markup import DISCORD, DiscordMarkup, spoken
from play.ids import Millis, SideId, UserId, side_account
from presentation.words.words import languages


def test_a_sentence_of_a_catalogue_has_its_marks_already() -> None:
    sentence = "**Say STOP?** Press **{name}** or `c4`, [or]({url}).\n-# small"
    assert DISCORD.template(sentence, "“”") == sentence


def test_only_a_person_is_mentioned() -> None:
    words = spoken().of("en")
    assert words.mention(UserId(1), "Anna") == "<@1>"
    assert words.mention(side_account(SideId(1)), "The *cats*") == "**The \\*cats\\***"


@pytest.mark.parametrize(("tag", "named"), [("en", "/challenge"), ("pl", "/wyzwanie"), ("ru", "/вызов")])
def test_a_page_names_a_command_as_the_readers_discord_does(tag: str, named: str) -> None:
    words = languages().speaking(DiscordMarkup({"challenge": 7})).of(tag)
    assert words.command("challenge") == "</challenge:7>"
    assert words.plain.command("challenge") == named


def test_a_moment_is_the_readers_own() -> None:
    words, at = spoken().of("en"), Millis(1_700_000_000_000)
    assert (words.moment(at), words.until(at, at)) == ("<t:1700000000:f>", "<t:1700000000:R>")


def test_words_that_know_the_ids_of_commands_go_to_a_worker_process_without_them() -> None:
    words = languages().speaking(DiscordMarkup({"challenge": 7})).of("pl")
    assert pickle.loads(pickle.dumps(words)).markup is DISCORD  # noqa: S301


def test_pages_of_a_bot_on_discord_name_it() -> None:
    assert spoken().of("pl").plain.platform == "Discord"
