"""Boards compared with kept pictures by decoded pixels; a failure leaves three pictures in tests/failed/."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from renderer.board import draw
from tests.renderer.goldens import FOLDER, GOLDENS
from tests.renderer.page import decode

FAILED = Path(__file__).parents[1] / "failed"


@pytest.mark.parametrize("name", GOLDENS)
def test_a_board_looks_as_it_did(name: str) -> None:
    actual = decode(draw(*GOLDENS[name]))
    expected = Image.open(FOLDER / f"{name}.png").convert("RGB")
    if actual != expected:
        FAILED.mkdir(exist_ok=True)
        actual.save(FAILED / f"{name}-actual.png")
        expected.save(FAILED / f"{name}-expected.png")
        ImageChops.difference(actual, expected).save(FAILED / f"{name}-difference.png")
        pytest.fail(f"{name} differs, see {FAILED}")
