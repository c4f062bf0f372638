"""Fields of panels of settings: selects that show what holds now, and what a choice in them changes. Language and
theme are settings of players and of servers.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import discord

from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import MAX_HINT, Choice, Select, select
from bot.services.guild_directory import WITH_THREADS
from play.refusal import Reason, Refused
from presentation.words.words import Words
from renderer.theme import THEMES

Changes = dict[str, Any]
"""New values of settings, by name."""

AS_DISCORD = "-"
"""The choice of no language: that of Discord is used."""


class SelectField(NamedTuple):
    """A setting with one of some `values`, or with `several`. The form of its ids calls it by its `name`.

    `chosen` returns the values that hold now, by the settings; `changes` takes those that are chosen.
    """

    name: str
    hint: Callable[[Words], str]
    values: Sequence[str]
    label: Callable[[str, Words], str]
    chosen: Callable[[Any], Collection[str]]
    changes: Callable[..., Changes]
    several: bool = False

    def select(self, custom_id: str, settings: Any, words: Words) -> Select:
        """Returns the select, which shows what holds in the settings."""
        now = self.chosen(settings)
        choices = [Choice(each, self.label(each, words), each in now) for each in self.values]
        return select(custom_id, self.hint(words), choices, several=self.several)

    def read(self, values: Sequence[str]) -> Changes:
        """Returns the changes that a choice makes. Raises Refused (`old_button`) if it is no longer offered."""
        if not {*self.values}.issuperset(values) or not (self.several or len(values) == 1):
            raise Refused(Reason.OLD_BUTTON)
        return self.changes(*values)


def read_field(fields: Iterable[SelectField], name: str, values: Sequence[str]) -> Changes:
    """Returns the changes that a choice in the field of that name makes. Raises Refused (`old_button`)."""
    return next(field for field in fields if field.name == name).read(values)


class ChannelField(PanelItem):
    """The select of up to `most` channels, or of none."""

    kind = discord.ComponentType.channel_select
    kinds: ClassVar[Sequence[discord.ChannelType]] = WITH_THREADS
    most: ClassVar[int] = 1

    @classmethod
    def showing(cls, chosen: Iterable[int | None], hint: str) -> Self:
        """Returns the select with those that hold now."""
        look = _look(chosen, hint, cls.most)
        return cls(discord.ui.ChannelSelect(custom_id=cls.id_form(), channel_types=[*cls.kinds], **look))


class RoleField(PanelItem):
    """The select of up to `most` roles, or of none."""

    kind = discord.ComponentType.role_select
    most: ClassVar[int] = 1

    @classmethod
    def showing(cls, chosen: Iterable[int | None], hint: str, **values: object) -> Self:
        """Returns the select with those that hold now, and with these values in its id."""
        return cls(discord.ui.RoleSelect(custom_id=cls.id_form(**values), **_look(chosen, hint, cls.most)))


def _look(chosen: Iterable[int | None], hint: str, most: int) -> dict[str, Any]:
    return {
        "placeholder": hint[:MAX_HINT],
        "min_values": 0,
        "max_values": most,
        "default_values": [discord.Object(each) for each in chosen if each is not None],
    }


def chosen_ids(ctx: Context) -> list[int]:
    """Returns the channels or roles that were chosen: ids as they were sent, since no cache has the objects."""
    data: Any = ctx.interaction.data
    return [int(value) for value in data["values"]]


def chosen_id(ctx: Context) -> int | None:
    """Returns the only channel or role that was chosen; None if there is none."""
    return next(iter(chosen_ids(ctx)), None)


def language_field(panel: str, languages: Mapping[str, str]) -> SelectField:
    """Returns the field of `languages`, which are names by tag, in the panel with keys of that name."""
    return SelectField(
        "language",
        lambda words: words(f"{panel}.language"),
        (AS_DISCORD, *languages),
        lambda tag, words: (
            words(f"{panel}.language.discord")
            if tag == AS_DISCORD
            else words(f"{panel}.language.is", language=languages[tag])
        ),
        lambda settings: (settings.language or AS_DISCORD,),
        lambda tag: {"language": None if tag == AS_DISCORD else tag},
    )


def theme_field(panel: str) -> SelectField:
    """Returns the field of the themes of boards, in the panel with keys of that name."""
    return SelectField(
        "theme",
        lambda words: words(f"{panel}.theme"),
        (*THEMES,),
        lambda theme, words: words(f"{panel}.theme.is", theme=words(f"theme.{theme}")),
        lambda settings: (settings.theme,),
        lambda theme: {"theme": theme},
    )
