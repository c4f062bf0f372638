"""The manifests in deploy/kubernetes: by Kubernetes's own schemas, and with what the program expects of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import yaml
from jsonschema_rs import Draft202012Validator

from bot.settings import Settings
from tests.build_context import ROOT
from tests.kubernetes_facts import FACTS, KINDS, kubernetes_facts
from tests.machine import kubectl  # noqa: F401 - a fixture

FOLDER = ROOT / "deploy" / "kubernetes"
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text("utf-8"))
MANIFESTS: dict[str, dict[str, Any]] = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in FOLDER.glob("*.yaml") if path.stem != "kustomization"
}
DEPLOYMENT = MANIFESTS["deployment"]
SCHEMAS: dict[str, Any] = json.loads(FACTS.read_text("utf-8"))
GIVEN = dict(line.split("=") for each in KUSTOMIZATION["configMapGenerator"] for line in each["literals"])
"""The settings that the processes get."""


def problems(manifests: Iterable[dict[str, Any]]) -> list[str]:
    """Returns what Kubernetes would refuse in manifests."""
    found = []
    for manifest in manifests:
        name = KINDS[manifest["apiVersion"], manifest["kind"]]
        validator = Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMAS["$defs"]})
        found += [f"{manifest['kind']}: {error.message}" for error in validator.iter_errors(manifest)]
    return found


def test_kubernetes_takes_every_manifest() -> None:
    assert problems(MANIFESTS.values()) == []


def test_every_manifest_is_applied() -> None:
    assert sorted(KUSTOMIZATION["resources"]) == sorted(f"{name}.yaml" for name in MANIFESTS)


def test_a_slip_of_the_pen_is_found_wherever_it_is() -> None:
    misspelled, wrong = deepcopy(DEPLOYMENT), deepcopy(DEPLOYMENT)
    (container,) = misspelled["spec"]["template"]["spec"]["containers"]
    container["readynessProbe"] = container.pop("readinessProbe")
    wrong["spec"]["replicas"] = "three"
    assert [len(problems([each])) for each in (misspelled, wrong)] == [1, 1]


def test_kubernetes_takes_what_kustomize_makes(kubectl: str) -> None:  # noqa: F811 - the fixture
    made = subprocess.run([kubectl, "kustomize", str(FOLDER)], capture_output=True, text=True, check=True)  # noqa: S603
    manifests = [*yaml.safe_load_all(made.stdout)]
    assert len(manifests) == len(MANIFESTS) + 1, "and the settings"
    assert problems(manifests) == []


def test_the_facts_are_what_the_command_makes_of_them() -> None:
    assert kubernetes_facts(SCHEMAS) == SCHEMAS


def test_the_processes_get_settings_that_there_are() -> None:
    assert {name.removeprefix("KROPKA_").lower() for name in GIVEN} <= Settings.model_fields.keys()


def test_one_process_more_waits_than_works() -> None:
    assert DEPLOYMENT["spec"]["replicas"] == int(GIVEN["KROPKA_PROCESSES"]) + 1


def test_the_image_of_the_deployment_is_the_one_that_an_operator_sets() -> None:
    (container,) = DEPLOYMENT["spec"]["template"]["spec"]["containers"]
    assert [each["name"] for each in KUSTOMIZATION["images"]] == [container["image"]]
