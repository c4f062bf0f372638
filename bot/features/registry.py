"""All features of the bot: what the folders beside this file offer to the client. And the rules that it offers."""

from bot.features import about, friends, leaderboards, predictions, rule_sets, strangers
from bot.features.challenges import buttons as challenge_buttons
from bot.features.challenges import commands as challenge_commands
from bot.features.coach import hints, lessons, past_mistakes, puzzles, reviews, server_lessons, training
from bot.features.competitions import arena, begin_panel, ladder, league
from bot.features.competitions.contests import commands as contest_commands
from bot.features.competitions.contests import publisher as contest_publisher
from bot.features.competitions.tournaments import buttons as tournament_buttons
from bot.features.competitions.tournaments import commands as tournament_commands
from bot.features.help import commands as help_commands
from bot.features.help import rulebook
from bot.features.match import board, button, open_games, play
from bot.features.match import commands as match_commands
from bot.features.match.actions import clocks, conditional_moves, endings, moderation, offers
from bot.features.match.turn import keypad, typed_moves
from bot.features.players import milestones, own_accounts, profiles, years
from bot.features.records import files, play_on, replays
from bot.features.settings import blocked, personal, posts, role_rewards, server
from bot.features.terms import terms_panel
from bot.features.votes import beginning
from bot.features.votes import commands as vote_commands
from bot.interactions import components
from bot.interactions.command_tree import Feature
from bot.settings import Hosting
from rules.registry import GAMES, NEEDS_CONSENT

CHALLENGES = Feature(
    commands=challenge_commands.COMMANDS,
    components=(*challenge_buttons.BUTTONS, *challenge_commands.BUTTONS, *terms_panel.BUTTONS),
    forms=terms_panel.FORMS,
)
MATCH = Feature(
    commands=match_commands.COMMANDS,
    components=(
        *(*button.BUTTONS, *play.BUTTONS, *board.BUTTONS, *open_games.BUTTONS, *keypad.BUTTONS, *typed_moves.BUTTONS),
        *(*endings.BUTTONS, *offers.BUTTONS, *clocks.BUTTONS, *conditional_moves.BUTTONS, *moderation.BUTTONS),
    ),
    forms=(*typed_moves.FORMS, *conditional_moves.FORMS),
)
STRANGERS = Feature(
    commands=strangers.COMMANDS,
    components=(*strangers.BUTTONS, *friends.BUTTONS, *arena.BUTTONS),
    forms=strangers.FORMS,
)
ACTIVITY = Feature(commands=board.COMMANDS)
SETTINGS = Feature(
    commands=server.COMMANDS,
    components=(*personal.BUTTONS, *server.BUTTONS, *posts.BUTTONS, *role_rewards.BUTTONS, *blocked.BUTTONS),
    forms=personal.FORMS,
)
RULE_SETS = Feature(components=rule_sets.BUTTONS, forms=rule_sets.FORMS)
HELP = Feature(commands=help_commands.COMMANDS, components=(*help_commands.BUTTONS, *rulebook.BUTTONS))
COACH = Feature(
    commands=(*hints.COMMANDS, *past_mistakes.COMMANDS, *puzzles.COMMANDS, *lessons.COMMANDS),
    components=(
        *hints.BUTTONS,
        *puzzles.BUTTONS,
        *reviews.BUTTONS,
        *past_mistakes.BUTTONS,
        *lessons.BUTTONS,
        *server_lessons.BUTTONS,
        *training.BUTTONS,
    ),
    forms=(*past_mistakes.FORMS, *lessons.FORMS, *server_lessons.FORMS, *puzzles.FORMS, *training.FORMS),
)
PLAYERS = Feature(
    commands=(*profiles.COMMANDS, *own_accounts.COMMANDS),
    components=(*profiles.BUTTONS, *milestones.BUTTONS, *years.BUTTONS, *own_accounts.BUTTONS),
)
RECORDS = Feature(
    commands=replays.COMMANDS,
    components=(*files.BUTTONS, *replays.BUTTONS, *play_on.BUTTONS),
    forms=replays.FORMS,
)
LEADERBOARDS = Feature(commands=leaderboards.COMMANDS, components=leaderboards.BUTTONS)
TOURNAMENTS = Feature(commands=tournament_commands.COMMANDS, components=tournament_buttons.BUTTONS)
CONTESTS = Feature(
    commands=contest_commands.COMMANDS, components=(*contest_publisher.BUTTONS, *contest_commands.BUTTONS)
)
LADDER = Feature(commands=ladder.COMMANDS, components=ladder.BUTTONS)
VOTES = Feature(commands=vote_commands.COMMANDS, components=(*beginning.BUTTONS, *vote_commands.BUTTONS))
PREDICTIONS = Feature(commands=predictions.COMMANDS, components=predictions.BUTTONS)
BEGINNINGS = Feature(components=begin_panel.BUTTONS, forms=begin_panel.FORMS)
LEAGUE = Feature(commands=league.COMMANDS, components=league.BUTTONS)
QUESTIONS = Feature(components=components.BUTTONS)
ABOUT = Feature(commands=about.COMMANDS)
FEEDBACK = Feature(commands=about.FEEDBACK, components=about.BUTTONS, forms=about.FORMS)

FEATURES = (
    *(STRANGERS, CHALLENGES, MATCH, ACTIVITY, SETTINGS, RULE_SETS, HELP, COACH, PLAYERS),
    *(
        RECORDS,
        LEADERBOARDS,
        TOURNAMENTS,
        CONTESTS,
        LADDER,
        LEAGUE,
        BEGINNINGS,
        VOTES,
        PREDICTIONS,
        QUESTIONS,
        ABOUT,
        FEEDBACK,
    ),
)


def features(hosting: Hosting) -> list[Feature]:
    """Returns the features that the bot has: no feedback where the operator takes none, and an Activity only with a
    client secret."""
    missing = [*([] if hosting.feedback else [FEEDBACK]), *([] if hosting.client_secret else [ACTIVITY])]
    return [each for each in FEATURES if not any(each is left_out for left_out in missing)]


def offered_presets(*, dot_dash: bool) -> list[str]:
    """Returns the presets that `/challenge` offers: Dot Dash only where the operator wants it."""
    left_out = frozenset() if dot_dash else NEEDS_CONSENT
    return [key for key in GAMES if key not in left_out]
