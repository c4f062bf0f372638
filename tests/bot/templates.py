"""The templates of all features that answer clicks and forms."""

from __future__ import annotations

from bot.features.registry import FEATURES

COMPONENTS = tuple(component for feature in FEATURES for component in feature.components)
FORMS = tuple(form for feature in FEATURES for form in feature.forms)
PLAIN = tuple(each.id_form.template for each in COMPONENTS if "{" not in each.id_form.template)
"""The ids of components that have no values: tests try each without being told."""
