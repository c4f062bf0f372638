"""What the terms of a panel are for: a challenge, the defaults of a player, a tournament."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.challenge.terms import Terms
from play.ids import UserId
from play.refusal import Reason, Refused


class TermsBasis(NamedTuple):
    """The terms that a draft is compared with, if there are any, whose they are, and how many seats they must have.
    They say who begins if they are `ordered`. `opponent` is the other player, if one is known."""

    terms: Terms | None
    challenger: UserId
    seats: int | None = None
    ordered: bool = True
    opponent: UserId | None = None


class TermsTarget:
    """The base of what the terms of a panel are for. `kind` names its words; its text is part of custom ids."""

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[TermsTarget]]] = {}
    """All of them, which the features above this one have defined."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" in cls.__dict__:
            cls.kinds[cls.kind] = cls

    @classmethod
    def read(cls, text: str) -> TermsTarget | None:
        """Returns the target that `text` names, if it is of this kind."""
        raise NotImplementedError

    async def basis(self, ctx: Context) -> TermsBasis:
        """Returns the terms with which a draft is compared. Raises Refused."""
        raise NotImplementedError

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        """Saves the terms, and returns what the panel shows then. Raises Refused."""
        raise NotImplementedError

    async def own_parts(self, ctx: Context, draft: Terms) -> list[Part]:
        """Returns the parts of the panel's first page that only this kind of target has."""
        return []

    async def refresh(self, ctx: Context) -> TermsTarget:
        """Returns the target as it is now: itself, unless its text names a state. Raises Refused."""
        return self


class DefaultTermsTarget(TermsTarget):
    """The common part of the targets of which there is one of each kind: their text is the kind."""

    def __str__(self) -> str:
        return self.kind

    @classmethod
    def read(cls, text: str) -> Self | None:
        return cls() if text == cls.kind else None


def read_target(text: str) -> TermsTarget:
    """Returns the target in a custom id. Raises Refused (`old_button`)."""
    for kind in TermsTarget.kinds.values():
        if target := kind.read(text):
            return target
    raise Refused(Reason.OLD_BUTTON)
