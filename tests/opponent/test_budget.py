"""A budget has an end."""

from __future__ import annotations

import pytest

from opponent.budget import Budget


@pytest.mark.parametrize("bounds", [{}, {"nodes": 0}, {"millis": 0}, {"nodes": 100, "millis": -1}], ids=str)
def test_a_budget_without_an_end_or_a_beginning_is_refused(bounds: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Budget(**bounds)
