"""The parts of Kubernetes's API that deploy/kubernetes uses: `python -m tests.kubernetes_facts _definitions.json`.

They are its own description, cut down to these kinds and to what the check of a schema reads.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from tests.api_facts import references, without_prose

FACTS: Final = Path(__file__).parent / "data" / "kubernetes-api.json"
REFERENCE: Final = "#/$defs/"

KINDS: Final = {
    ("v1", "ConfigMap"): "io.k8s.api.core.v1.ConfigMap",
    ("v1", "Namespace"): "io.k8s.api.core.v1.Namespace",
    ("v1", "Service"): "io.k8s.api.core.v1.Service",
    ("apps/v1", "Deployment"): "io.k8s.api.apps.v1.Deployment",
    ("policy/v1", "PodDisruptionBudget"): "io.k8s.api.policy.v1.PodDisruptionBudget",
}
"""The schema of each kind by its version and name."""


def kubernetes_facts(description: dict[str, Any]) -> dict[str, Any]:
    """Returns the part of a description that the manifests use."""
    schemas: dict[str, Any] = {}
    missing = {*KINDS.values()}
    while missing:
        name = missing.pop()
        schemas[name] = without_prose(description["$defs"][name])
        missing |= {*references(schemas[name], REFERENCE)} - schemas.keys()
    return {"$schema": description["$schema"], "$defs": dict(sorted(schemas.items()))}


if __name__ == "__main__":
    made = json.dumps(kubernetes_facts(json.loads(Path(sys.argv[1]).read_text("utf-8"))), separators=(",", ":"))
    FACTS.write_text(made.replace('},"io.k8s.', '},\n"io.k8s.') + "\n", "utf-8")
