"""Fields of settings: what they show, and what a choice in them changes."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.settings.personal import OWN_FIELDS
from bot.interactions import custom_ids as ids
from bot.interactions.fields import AS_DISCORD, SelectField, language_field, read_field, theme_field
from bot.markup import spoken
from play.clock.clock import ReminderStep
from play.ids import UserId
from play.people.settings import PlayerSettings, Reminders
from play.refusal import Reason, Refused
from renderer.theme import THEMES

SETTINGS = PlayerSettings(UserId(1))
FIELDS = (language_field("me", {"en": "English", "pl": "polski"}), theme_field("me"), *OWN_FIELDS)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_what_a_field_shows_of_settings_are_these_settings(field: SelectField) -> None:
    shown = field.select(ids.PERSONAL_FIELD(field=field.name), SETTINGS, spoken().of())
    now = [option.value for option in shown.options if option.default]
    assert {name: getattr(SETTINGS, name) for name in field.read(now)} == field.read(now)


@pytest.mark.parametrize(
    ("name", "values", "changes"),
    [
        ("language", ["pl"], {"language": "pl"}),
        ("language", [AS_DISCORD], {"language": None}),
        ("theme", [[*THEMES][-1]], {"theme": [*THEMES][-1]}),
        ("confirm", ["days"], {"confirm_live": False, "confirm_days": True}),
        ("confirm", [], {"confirm_live": False, "confirm_days": False}),
        ("next", ["open"], {"opens_next": True}),
        ("watching", ["counted"], {"named": False}),
        ("reminders", ["dm"], {"reminders": Reminders.DM}),
        ("steps", [], {"steps": ReminderStep.MOST}),
        ("pings", ["each"], {"digest": None}),
    ],
)
def test_a_choice_changes_its_setting(name: str, values: list[str], changes: dict[str, Any]) -> None:
    assert read_field(FIELDS, name, values) == changes


@pytest.mark.parametrize(
    ("name", "values"),
    [("theme", ["gone"]), ("theme", []), ("language", ["en", "pl"]), ("confirm", ["days", "years"]), ("pings", ["25"])],
)
def test_a_choice_that_is_no_longer_offered_is_refused(name: str, values: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        read_field(FIELDS, name, values)
    assert refused.value.key == Reason.OLD_BUTTON
