"""The panel in which terms are put together: a counter-offer, or what somebody's challenges usually offer.

Every part of it has the whole draft in its custom id. What is chosen is judged by the rules at once; what they refuse
is explained above, and the draft stays as it was.
"""

from __future__ import annotations

import re
from re import Match as Found
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

import discord

from bot.features.challenges.terms_code import LETTERS, packed, unpacked
from bot.features.challenges.terms_menus import Menu, chosen, menus
from bot.features.challenges.terms_text import compared, settings
from bot.interactions import errors, panels, permissions
from bot.interactions.admission import Gated
from bot.interactions.modals import Form, typed
from bot.interactions.responses import acknowledge_quietly
from bot.interactions.selects import Select, select
from bot.request import Request
from bot.services.names import escaped
from play.challenge.terms import Terms
from play.ids import UserId
from play.refusal import Reason, Refused
from rules.game import RuleError
from rules.registry import GAMES, NEEDS_CONSENT

if TYPE_CHECKING:
    from bot.client import Interaction

LONGEST = 30
"""Characters that are read of a size or a clock."""

_DRAFT = rf"terms:(?P<purpose>[a-z]+[\d.]*):(?P<draft>{LETTERS})"


class Basis(NamedTuple):
    """The terms that a draft is compared with, if there are any, whose they are, and how many seats they must have."""

    terms: Terms | None
    challenger: UserId
    seats: int | None = None


class Purpose(Protocol):
    """What terms are put together for. `kind` names its words; as text it stands in custom ids."""

    kind: ClassVar[str]

    @classmethod
    def read(cls, text: str) -> Purpose | None:
        """The purpose that `text` names, if it is of this kind."""

    async def basis(self, interaction: Interaction) -> Basis: ...

    async def saved(self, interaction: Interaction, terms: Terms) -> list[panels.Part]:
        """Does what the terms were put together for; returns what the panel shows then. Raises Refused."""

    async def renewed(self, interaction: Interaction) -> Purpose:
        """The same purpose as things stand now."""


class Usual:
    """What the Purposes have in common that set what challenges offer from now on: there is one of each kind."""

    kind: ClassVar[str]

    def __str__(self) -> str:
        return self.kind

    @classmethod
    def read(cls, text: str) -> Self | None:
        return cls() if text == cls.kind else None

    async def renewed(self, interaction: Interaction) -> Self:
        return self


class Field(
    Gated, discord.ui.DynamicItem[Select], template=rf"{_DRAFT}:(?P<field>rules|size|start|clock|order|agreed)"
):
    """A setting with what it may be."""

    def __init__(self, purpose: str, draft: str, field: str, select: Select) -> None:
        super().__init__(select)
        self.purpose, self.draft, self.field = purpose, draft, field

    @classmethod
    def of(cls, purpose: Purpose, draft: str, menu: Menu) -> Self:
        shown = select(f"terms:{purpose}:{draft}:{menu.field}", menu.hint, menu.choices, several=menu.several)
        return cls(str(purpose), draft, menu.field, shown)

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["purpose"], match["draft"], match["field"], item)

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return discord.ComponentType.string_select

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        await _changed(interaction, self.purpose, self.draft, self.field, *self.item.values)


class Done(
    Gated,
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=rf"{_DRAFT}:(?P<action>save|rated|other-size|other-clock)",
):
    """Sends the draft, or asks for a size or a clock that is not in the list."""

    def __init__(self, purpose: str, draft: str, action: str, label: str | None, *, primary: bool = False) -> None:
        style = discord.ButtonStyle.success if primary else discord.ButtonStyle.secondary
        custom_id = f"terms:{purpose}:{draft}:{action}"
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=custom_id))
        self.purpose, self.draft, self.action = purpose, draft, action

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["purpose"], match["draft"], match["action"], item.label)

    async def pressed(self, interaction: Interaction) -> None:
        if self.action == "rated":
            await acknowledge_quietly(interaction)
            await _changed(interaction, self.purpose, self.draft, "rated")
        else:
            await (self._save(interaction) if self.action == "save" else self._ask(interaction))

    async def _ask(self, interaction: Interaction) -> None:
        words = await interaction.client.audience.alone(interaction)
        draft = read_draft(self.draft)
        asked = self.action.removeprefix("other-")
        now = draft.game.options["size"] if asked == "size" else str(draft.control)
        form = discord.ui.Modal(title=words(f"terms.{asked}.title"), timeout=None, custom_id=self.custom_id)
        field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id="value", default=now, max_length=LONGEST)
        form.add_item(
            discord.ui.Label(
                text=words(f"terms.{asked}.label"),
                description=words(f"terms.{asked}.description"),
                component=field,
            )
        )
        form.stop()
        await interaction.response.send_modal(form)

    async def _save(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        purpose, draft = _purpose(interaction, self.purpose), read_draft(self.draft)
        try:
            await panels.show(interaction, await purpose.saved(interaction, draft))
        except Refused as refused:
            words, request = await interaction.client.audience.alone(interaction), Request.of(interaction)
            note = await errors.explained(interaction.client, words, request, refused)
            await panels.show(interaction, await parts(interaction, await purpose.renewed(interaction), draft, note))


async def parts(interaction: Interaction, purpose: Purpose, draft: Terms, note: str = "") -> list[panels.Part]:
    """The panel, with a `note` on what was wrong."""
    client = interaction.client
    words, basis = await client.audience.alone(interaction), await purpose.basis(interaction)
    name = await client.names.of(basis.challenger, Request.of(interaction).guild)
    now, before = (settings(terms, escaped(name), words) for terms in (draft, basis.terms or draft))
    text = "\n".join((f"### {words(f'terms.title.{purpose.kind}')}", *compared(now, before)))
    help_ = f"-# {words(f'preset.{draft.game.key}.help')}"
    letters = packed(draft)
    presets = await _presets(interaction, basis.seats)
    fields = [Field.of(purpose, letters, menu) for menu in menus(draft, presets, name, words)]
    buttons = (
        Done(str(purpose), letters, "save", words(f"terms.save.{purpose.kind}"), primary=True),
        Done(str(purpose), letters, "rated", words("terms.unrate" if draft.rated else "terms.rate")),
        Done(str(purpose), letters, "other-size", words("terms.size.button")),
        Done(str(purpose), letters, "other-clock", words("terms.clock.button")),
    )
    return [*([f"⚠️ {note}"] if note else []), f"{text}\n{help_}", *([field] for field in fields), buttons]


async def _presets(interaction: Interaction, seats: int | None) -> list[str]:
    """The rules that are offered here, for so many players if that must stay as it is."""
    here = await permissions.server(interaction)
    offered = (key for key in interaction.client.presets if here.dot_dash or key not in NEEDS_CONSENT)
    return [key for key in offered if seats in (None, GAMES[key].seats)]


async def _changed(interaction: Interaction, purpose: str, letters: str, field: str, *values: str) -> None:
    """Shows the panel with another value of a setting, or why that cannot be."""
    draft, note = read_draft(letters), ""
    try:
        draft = chosen(draft, field, *values)
    except (KeyError, ValueError, TypeError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # a choice that is no more, or was made up
    except (Refused, RuleError) as error:
        words, request = await interaction.client.audience.alone(interaction), Request.of(interaction)
        note = await errors.explained(interaction.client, words, request, error)
    await panels.show(interaction, await parts(interaction, _purpose(interaction, purpose), draft, note))


def _purpose(interaction: Interaction, text: str) -> Purpose:
    for kind in interaction.client.purposes:
        if purpose := kind.read(text):
            return purpose
    raise Refused(Reason.OLD_BUTTON)


def read_draft(letters: str) -> Terms:
    """The terms that stand in a custom id. Raises Refused (`old_button`)."""
    try:
        return unpacked(letters)
    except (ValueError, KeyError, IndexError, Refused, RuleError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # made up, or by rules that are no more


async def _filled(interaction: Interaction, found: re.Match[str]) -> None:
    await acknowledge_quietly(interaction)
    await _changed(interaction, found["purpose"], found["draft"], found["field"], typed(interaction, "value"))


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Field, Done)
FORMS = (Form(re.compile(rf"{_DRAFT}:other-(?P<field>size|clock)"), _filled),)
