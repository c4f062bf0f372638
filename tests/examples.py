"""How many random examples a test tries: few and always the same, or with `--hypothesis-profile=deep` many others."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

DEEP, QUICK = "deep", "quick"

SHARE = 20
"""Of so many examples in the profile `deep`, one is tried in `quick`."""

MIN_EXAMPLES = 10

_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure
settings.register_profile(DEEP, _UNTIMED, max_examples=300)
settings.register_profile(QUICK, _UNTIMED, max_examples=30, derandomize=True)


def examples(deep: int) -> settings:
    """Returns settings, to decorate a test with, of `deep` examples, or of their share in the profile `quick`."""
    is_deep = settings.get_current_profile_name().startswith(DEEP)  # --hypothesis-verbosity adds to the name
    return settings(max_examples=deep if is_deep else max(MIN_EXAMPLES, deep // SHARE))
