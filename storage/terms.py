"""Terms into values that JSON can hold, and back."""

from play.challenge.terms import Order, Terms, Window
from play.clock import parse_control
from play.clock.agreement import parse_agreement
from rules.registry import renew_game
from storage.statements import Values


def terms_values(terms: Terms | None) -> Values | None:
    """Returns terms as JSON can hold them."""
    if terms is None:
        return None
    return {
        "game": terms.game.key,
        "options": dict(terms.game.options),
        "control": str(terms.control),
        "order": terms.order.value,
        "rated": terms.rated,
        "window": terms.window and [terms.window.least, terms.window.most],
        "agreement": str(terms.agreement),
        "level": terms.level,
        "rule_set": terms.rule_set,
    }


def read_terms(values: Values) -> Terms:
    """Returns the terms of a JSON column. Their rules are today's, also where the preset has changed since."""
    return Terms(
        renew_game(values["game"], values["options"]),
        parse_control(values["control"]),
        Order(values["order"]),
        values["rated"],
        values["window"] and Window(*values["window"]),
        parse_agreement(values["agreement"]),
        values["level"],
        values.get("rule_set"),  # not in what was stored before there were own rule sets
    )
