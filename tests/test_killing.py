"""A killed bot loses and doubles nothing, and no clock suffers. `python -m tests.killing 200 20` is the long form."""

from __future__ import annotations

import pytest

from tests.killing import main


@pytest.mark.process
async def test_a_few_matches_survive_a_killed_bot() -> None:
    findings = await main(4, 1, controls=("10s",), thinking=0.2)
    assert findings.kills == 1
    assert findings.faults == []
