"""All features of the bot, and the rules that it offers. The folders beside this file have one each."""

from __future__ import annotations

from bot.features.about import feature as about
from bot.features.challenges import feature as challenges
from bot.features.challenges.counter_offers import CounterOffer
from bot.features.challenges.new_challenges import NewChallenge
from bot.features.coach import feature as coach
from bot.features.help import feature as help_
from bot.features.home import feature as home
from bot.features.ladder import feature as ladder
from bot.features.ladder.terms import LadderTerms
from bot.features.leaderboards import feature as leaderboards
from bot.features.match import feature as match
from bot.features.players import feature as players
from bot.features.records import feature as records
from bot.features.rule_sets import feature as rule_sets
from bot.features.rule_sets.panels import RuleSetRules
from bot.features.settings import feature as settings
from bot.features.settings.personal import PersonalDefaults
from bot.features.settings.server import ServerDefaults
from bot.features.tournaments import feature as tournaments
from bot.features.tournaments.terms import TournamentTerms
from bot.interactions.feature import Feature
from bot.settings import Hosting
from rules.registry import GAMES, NEEDS_CONSENT

FEATURES = (
    challenges.FEATURE,
    match.FEATURE,
    match.ACTIVITY,
    settings.FEATURE,
    rule_sets.FEATURE,
    help_.FEATURE,
    coach.FEATURE,
    players.FEATURE,
    records.FEATURE,
    leaderboards.FEATURE,
    tournaments.FEATURE,
    ladder.FEATURE,
    home.FEATURE,
    about.FEATURE,
    about.FEEDBACK,
)

TERMS_TARGETS = (
    *(NewChallenge, CounterOffer, PersonalDefaults, ServerDefaults),
    *(TournamentTerms, LadderTerms, RuleSetRules),
)


def features(hosting: Hosting) -> list[Feature]:
    """Returns the features that the bot has: no feedback where the operator takes none, and an Activity only with a
    client secret."""
    missing = [*([] if hosting.feedback else [about.FEEDBACK]), *([] if hosting.client_secret else [match.ACTIVITY])]
    return [each for each in FEATURES if not any(each is left_out for left_out in missing)]


def offered_presets(*, dot_dash: bool) -> list[str]:
    """Returns the presets that `/challenge` offers: Dot Dash only where the operator wants it."""
    left_out = frozenset() if dot_dash else NEEDS_CONSENT
    return [key for key in GAMES if key not in left_out]
