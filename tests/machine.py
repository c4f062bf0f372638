"""Programs of other projects that the machine may have, and the words of the tests that do not run without them."""

from __future__ import annotations

import shutil

import pytest

MISSING = {
    "promtool": "the alerts were not tried: no promtool; install it with `apt-get install prometheus`",
    "kubectl": "what Kustomize makes of the manifests was not checked: no kubectl; https://kubernetes.io/docs/tasks/tools",
}


def _find(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(MISSING[name])
    return found


@pytest.fixture
def promtool() -> str:
    """The path of Prometheus's own program, which tries rules."""
    return _find("promtool")


@pytest.fixture
def kubectl() -> str:
    """The path of Kubernetes's client, which has Kustomize in it."""
    return _find("kubectl")
