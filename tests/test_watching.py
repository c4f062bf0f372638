"""The alerts and the dashboard in deploy/, held to the metrics that the program has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import yaml

from bot.telemetry.metrics import Metrics
from tests.build_context import ROOT

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
