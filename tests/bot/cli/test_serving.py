"""The last step of `kropka run` before the bot serves."""

from __future__ import annotations

import gc

from bot.cli.serving import spare_collector


def test_what_is_there_at_the_start_is_collected_once_and_passed_over_from_then_on() -> None:
    spare_collector()
    try:
        assert gc.get_freeze_count() > 100_000
        assert len(gc.get_objects()) < 10_000
    finally:
        gc.unfreeze()
