"""The alerts and the dashboard in deploy/, held to the metrics that the program has; promtool tries the alerts."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.telemetry.metrics import Metrics
from tests.build_context import ROOT
from tests.machine import promtool  # noqa: F401 - a fixture

RULES: list[dict[str, Any]] = yaml.safe_load((ROOT / "deploy/prometheus/kropka.rules.yml").read_text("utf-8"))[
    "groups"
][0]["rules"]
TRIED: list[dict[str, Any]] = yaml.safe_load((ROOT / "deploy/prometheus/kropka.rules.test.yml").read_text("utf-8"))[
    "tests"
]
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy/grafana/kropka.json").read_text("utf-8"))
PAGE = (ROOT / "docs/operators.md").read_text("utf-8")

NAME = re.compile(r"\b(?:kropka|process)_\w+")


def names() -> set[str]:
    """Returns the metrics of the program by all names that an expression may have for them."""
    found = set()
    for family in Metrics().registry.collect():
        endings = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}.get(family.type, ("",))
        found |= {family.name + ending for ending in endings}
    return found


def drawn() -> Iterator[str]:
    """Yields the expressions of the dashboard."""
    for panel in DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))


def test_every_metric_of_an_alert_or_a_panel_is_one_of_the_program() -> None:
    tried = (each["series"] for case in TRIED for each in case["input_series"])
    used = set(NAME.findall(" ".join(chain((rule["expr"] for rule in RULES), drawn(), tried))))
    assert len(used) > 20
    assert used <= names()


def test_the_dashboard_shows_every_metric_of_the_bot() -> None:
    shown = set(NAME.findall(" ".join(drawn())))
    own = {family.name for family in Metrics().registry.collect() if family.name.startswith("kropka_")}
    assert [name for name in sorted(own) if not any(each.startswith(name) for each in shown)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_is_explained_and_tried_with_what_sounds_it_and_what_does_not(rule: dict[str, Any]) -> None:
    assert re.search(rf"^\| {rule['alert']} \| .+ \| .+ \|$", PAGE, re.MULTILINE)
    expected = [each for case in TRIED for each in case["alert_rule_test"] if each["alertname"] == rule["alert"]]
    assert [bool(each["exp_alerts"]) for each in expected] == [True, False]


def try_alerts(program: str, folder: Path) -> tuple[int, str]:
    """Returns the status of promtool and what it says of the cases in a folder."""
    asked = [program, "test", "rules", str(folder / "kropka.rules.test.yml")]
    tried = subprocess.run(asked, capture_output=True, text=True)  # noqa: S603
    return tried.returncode, tried.stdout + tried.stderr


def test_each_alert_sounds_when_it_should_and_at_no_other_time(promtool: str) -> None:  # noqa: F811 - the fixture
    status, said = try_alerts(promtool, ROOT / "deploy" / "prometheus")
    assert status == 0, said


def test_an_alert_that_would_not_sound_is_found(promtool: str, tmp_path: Path) -> None:  # noqa: F811 - the fixture
    for path in (ROOT / "deploy" / "prometheus").iterdir():
        late = path.read_text("utf-8").replace("(kropka_outbox_matches[10m]) > 5", "(kropka_outbox_matches[10m]) > 500")
        (tmp_path / path.name).write_text(late)
    status, said = try_alerts(promtool, tmp_path)
    assert (status, "KropkaBoardsNotPosted" in said) == (1, True)
