"""Requests that the rules or the use cases reject, with a reason that bot/ puts into words."""

from __future__ import annotations

from enum import StrEnum

from rules.game import RuleError


class Reason(StrEnum):
    """Every reason of a refusal. The values name sentences of the catalogues (`refused.<value>`) and stay as they are.

    A name between backquotes is a detail that the sentence may use. The reasons of the rules (`RuleError`) are listed
    as well.
    """

    # Anything at all
    CLOSING = "closing"  # The bot is shutting down.
    SERVER_BLOCKED = "server_blocked"  # The operator has blocked the server.
    USER_BLOCKED = "user_blocked"  # The operator has blocked the user.
    PAUSED = "paused"  # The operator lets no game begin at present.
    PAUSED_UNTIL = "paused_until"  # The same, `until` then (in seconds).
    CHAT_AWAY = "chat_away"  # The chat platform does not answer what the request depends on.
    CROWDED = "crowded"  # More is asked for than can be done in time; nothing was done.
    CROWDED_MOVE = "crowded_move"  # The same of a move, which was not played.
    BUSY = "busy"  # Other writers were faster, again and again.
    BAD_COMMAND = "bad_command"  # The chat sent options that the command does not declare.
    NO_SUCH_NUMBER = "no_such_number"  # No row can have a number that large.
    TOO_FAST = "too_fast"  # The user has made too many requests; `count` seconds to wait.
    SERVER_TOO_FAST = "server_too_fast"  # The server has made too many requests; `count` seconds to wait.
    ENTRANCE_BUSY = "entrance_busy"  # No Activity can be opened at the moment; `count` seconds to wait.
    FRIEND_BUSY = "friend_busy"  # Too many friends' codes were tried; `count` seconds to wait.
    STALE = "stale"  # The match has a newer version than the button or form.
    OLD_BUTTON = "old_button"  # The custom id is of an earlier release, or made up.
    NOT_INSTALLED_HERE = "not_installed_here"  # The bot is not a member of this server.
    NO_SERVER_HERE = "no_server_here"  # The command needs a server.
    NOT_YOUR_SERVER = "not_your_server"  # The user may not manage the server.
    BOT_TIMED_OUT = "bot_timed_out"  # A moderator has timed the bot out on the server, `until` a time in seconds.
    CANNOT_WRITE_HERE = "cannot_write_here"  # The bot lacks `permissions` in the channel.
    SEEN_BY_YOU_ALONE = "seen_by_you_alone"  # The server shows the bot's answers to their user only.
    ROLE_NEEDED = "role_needed"  # The server lets only members with one of `roles` play.
    CHANNEL_NOT_ALLOWED = "channel_not_allowed"  # The server allows challenges only in `channels`.

    # Drawings, films and files
    DRAWING_BUSY = "drawing_busy"  # Too many boards wait to be drawn.
    LANE_YOURS = "lane_yours"  # The user's last request is still at work.
    OVERTAKEN = "overtaken"  # The user has asked for something newer before this was begun.
    LANE_BUSY = "lane_busy"  # Too many requests wait for the worker process.
    LANE_FAILED = "lane_failed"  # The worker process has died or could not start.
    LANE_TOO_MUCH = "lane_too_much"  # The work took too much time or memory.
    FILM_TOO_LONG = "film_too_long"  # The film took too much time or memory.

    # Notation of Dots
    NO_POINT = "no_point"  # The text is not a point.
    OFF_FIELD = "off_field"  # The point is outside the field, which ends at `column` and `row`.
    CLOSES_BY_ITSELF = "closes_by_itself"  # The text draws or paints where chains close automatically.
    PAINTS_ONLY = "paints_only"  # The text draws a chain where areas are painted.
    DRAWS_ONLY = "draws_only"  # The text paints where chains are drawn.

    # Moves of Dots
    GAME_OVER = "game_over"  # The position has ended.
    OCCUPIED = "occupied"  # There is a dot on `point`.
    IN_BASE = "in_base"  # `point` is inside a base.
    OPENING_ZONE = "opening_zone"  # The first dot has to be between `low` and `high`.
    NOTHING_TO_PAINT = "nothing_to_paint"  # No area around `point` can be painted.
    NOT_ENCLOSED = "not_enclosed"  # The chain does not go around `point`.
    CHAIN_REPEATS = "chain_repeats"  # The chain visits a dot twice.
    CHAIN_NOT_OF_OWN_DOTS = "chain_not_of_own_dots"  # The chain visits a crossing without the player's dot.
    CHAIN_HAS_GAPS = "chain_has_gaps"  # Two dots of the chain are not neighbors.
    CHAIN_CROSSES_ITSELF = "chain_crosses_itself"  # The chain crosses itself.
    CHAIN_CATCHES_NOTHING = "chain_catches_nothing"  # The chain encloses no opponent's dot.
    CHAIN_SHARES_TOO_MUCH = "chain_shares_too_much"  # The chain shares more than `most` crossings with a base.
    CHAIN_SHARES_A_DOT = "chain_shares_a_dot"  # The chain shares a dot with an older boundary inside it.
    SECTION_TOO_LONG = "section_too_long"  # The link from `start` to `end` is too long.
    SECTION_BLOCKED = "section_blocked"  # A dot or base blocks the link from `start` to `end`.
    NO_STOP = "no_stop"  # The rules have no STOP.
    NO_LANDING = "no_landing"  # The rules have no landing.
    LEAD_TOO_SMALL = "lead_too_small"  # The lead is smaller than the `risk`.

    # Options of Dots
    UNKNOWN_OPTION = "unknown_option"  # The rules have no such `option`.
    NO_PRESET = "no_preset"  # No rules are named `preset`.
    BAD_SIZE = "bad_size"  # The size is not one from `smallest` to `largest`.
    BAD_SEATS = "bad_seats"  # The rules do not allow this number of players.
    BAD_START = "bad_start"  # No start has that name.
    BAD_CROSSES = "bad_crosses"  # That is no possible number of crosses.
    BAD_CLOSING = "bad_closing"  # Not one of the `choices` for closing.
    BAD_CHAIN = "bad_chain"  # Not one of the `choices` for chains.
    BAD_LINKS = "bad_links"  # Not one of the `choices` for links.
    BAD_REUSE = "bad_reuse"  # Not one of the `choices` for shared dots.
    BAD_SCORING = "bad_scoring"  # Not one of the `choices` for scoring.
    BAD_ENDING = "bad_ending"  # Not one of the `choices` for endings.
    BAD_SWITCH = "bad_switch"  # A switch is neither on nor off.
    BAD_WIN = "bad_win"  # The instant win cannot be read.
    BAD_PART = "bad_part"  # The `part` of typed options names none of the `choices`.
    BAD_HANDICAP = "bad_handicap"  # That is no possible number of extra dots.
    BAD_KOMI = "bad_komi"  # Not one of the `choices` for komi.
    CROSSES_NEED_TWO = "crosses_need_two"  # A start of crosses needs two players.
    CROSSES_NEED_RANDOM = "crosses_need_random"  # A number of crosses needs a random start.
    NO_ROOM_FOR_CROSS = "no_room_for_cross"  # The field is too small for a cross.
    NO_ROOM_FOR_CROSSES = "no_room_for_crosses"  # The field has room for `most` crosses.
    PRESET_NEEDS_TWO = "preset_needs_two"  # The preset is for two players alone.
    DRAWN_NEEDS_TWO = "drawn_needs_two"  # Drawn chains need two players.
    STOP_NEEDS_TWO = "stop_needs_two"  # STOP needs two players.
    LANDING_NEEDS_TWO = "landing_needs_two"  # Landing needs two players.
    HANDICAP_NEEDS_TWO = "handicap_needs_two"  # Extra dots and komi need two players.
    NO_ROOM_FOR_HANDICAP = "no_room_for_handicap"  # The extra dots would fill the field.
    TERRITORY_NEEDS_TWO = "territory_needs_two"  # Territory needs two players.
    TERRITORY_NEEDS_PAINTED = "territory_needs_painted"  # Territory needs painted areas.
    TERRITORY_NEVER_LANDS = "territory_never_lands"  # A game with territory has no landing.
    LENGTH_NEVER_DRAWN = "length_never_drawn"  # Drawn chains are not the shortest by rule.
    PLAY_OUT_NEEDS_AUTOMATIC = "play_out_needs_automatic"  # Playing out needs automatic closing.
    FAR_NEEDS_DRAWN = "far_needs_drawn"  # Far links need drawn chains.
    REUSE_NEEDS_DRAWN = "reuse_needs_drawn"  # Shared dots need drawn chains.
    FAR_NEVER_STOPS = "far_never_stops"  # Far links need a full field as the only end.

    # Dot Dash
    BAD_VARIANT = "bad_variant"  # No variant has that name.
    NOT_SQUARE = "not_square"  # Dot Dash needs a square field.
    NO_TURN = "no_turn"  # The text is not a turn of Dot Dash.
    SAME_CROSSING = "same_crossing"  # The turn names a crossing twice.
    NO_FIVE = "no_five"  # `five` is not five crossings in a row.
    SET_UP_DUE = "set_up_due"  # Three stones have to be set up first.
    CHOICE_DUE = "choice_due"  # A color has to be chosen first.
    DASH_DUE = "dash_due"  # Setting up is over; a dash is due.
    NO_STONE = "no_stone"  # There is no stone on `point`.
    NOT_YOURS = "not_yours"  # The stone on `point` is an opponent's.
    FROZEN_STONE = "frozen_stone"  # The stone on `point` belongs to a five.
    NOT_STRAIGHT = "not_straight"  # `start` and `end` are on no common line.
    TOO_SHORT = "too_short"  # A dash goes at least `least` crossings.
    WAY_BLOCKED = "way_blocked"  # A stone on `point` is in the way.
    LANDING_TAKEN = "landing_taken"  # There is a stone on `point`, where the dash would end.
    NO_CHOICE = "no_choice"  # The variant declares no fives.
    NO_NEW_FIVE = "no_new_five"  # The dash does not make `five`.
    FEWER_FIVES = "fewer_fives"  # The turn declares fewer fives than it makes.

    # Playing a match
    NO_MATCH = "no_match"  # There is no such match.
    NO_MATCH_HERE = "no_match_here"  # The channel has no match.
    SEVERAL_GAMES = "several_games"  # The user has several games in this place, and has not said which one they mean.
    THREAD_WAITS = "thread_waits"  # The user's match is to open in a thread of the channel, which isn't there yet.
    NOT_YOUR_MATCH = "not_your_match"  # The user has no seat in the match.
    MATCH_OVER = "match_over"  # The match has ended.
    MATCH_GOES_ON = "match_goes_on"  # The match has not ended yet.
    NOT_YOUR_TURN = "not_your_turn"  # It is the turn of `user`.
    TIME_OVER = "time_over"  # The player's time ended before the turn.
    BAD_PAUSE = "bad_pause"  # A pause of this game lasts from `least` to `most`.
    TURN_OVER = "turn_over"  # The player's time ended before the turn, and chance plays for them.
    BAD_EVENT = "bad_event"  # The event does not follow from the match so far.
    ONLY_TYPED = "only_typed"  # The keypad cannot show these rules.
    NOT_ASKED = "not_asked"  # The button asks another player.
    TOO_LATE_TO_ABORT = "too_late_to_abort"  # All players have moved already.
    HAS_A_CHANNEL = "has_a_channel"  # The match has not lost its channel.
    OTHER_SERVER = "other_server"  # The match is between two servers, and the user's own is another one.
    NOTHING_LOST = "nothing_lost"  # No match of the user has lost its channel.
    CHANNEL_BUSY = "channel_busy"  # The channel has an open match already.

    # Offers, pauses, vacations
    NO_OFFER = "no_offer"  # There is no such offer to answer.
    OWN_OFFER = "own_offer"  # The player made the offer themselves.
    OFFERED_ALREADY = "offered_already"  # The player's offer still waits for an answer.
    DECLINED_ALREADY = "declined_already"  # The player's offer was declined, or they took it back, since their move.
    NOTHING_TO_UNDO = "nothing_to_undo"  # The player has no move to take back.
    NOTHING_TO_PAUSE = "nothing_to_pause"  # The match has no clock to pause.
    PAUSED_ALREADY = "paused_already"  # The match is paused.
    NOT_PAUSED = "not_paused"  # The match is not paused.
    NO_AGREED_END = "no_agreed_end"  # The rules have no agreed end.
    NO_TIME_TO_GIVE = "no_time_to_give"  # The match has no clock to give time on.
    TOO_MUCH_TIME = "too_much_time"  # The gift exceeds what a clock may show.
    NO_VACATION = "no_vacation"  # The players did not agree on vacations.
    AWAY_ALREADY = "away_already"  # The user is on vacation.
    NOT_AWAY = "not_away"  # The user is not on vacation.
    BAD_DAYS = "bad_days"  # A vacation has at least one day.
    BANK_EMPTY = "bank_empty"  # The user has only `left` vacation days.

    # Vote games
    NOT_A_VOTER = "not_a_voter"  # The user belongs to no side of the match.
    IN_BOTH_SIDES = "in_both_sides"  # The user belongs to both sides, has voted for the other, or plays.
    JOINED_TOO_LATE = "joined_too_late"  # The user joined the server after the game began.
    ACCOUNT_TOO_NEW = "account_too_new"  # The account was made less than `count` days before the game.
    VOTE_FIRST = "vote_first"  # The votes of a turn are shown to those who have voted.
    VOTE_TOO_THIN = "vote_too_thin"  # A vote with `votes` of `quorum`, or without a decision, closes no earlier.
    VOTE_CLOSED = "vote_closed"  # The votes about the turn are being counted.
    BAD_PERIOD = "bad_period"  # A vote cannot be that long.
    BAD_QUORUM = "bad_quorum"  # A turn cannot need that many votes; `most` are possible.
    VOTES_NEED_TWO = "votes_need_two"  # A vote game has two players.
    TOO_MANY_VOTE_GAMES = "too_many_vote_games"  # The server plays `count` vote games already.
    SIDE_VOTES = "side_votes"  # A side that votes answers offers of a draw, and no others.
    SIDE_NOT_JUDGED = "side_not_judged"  # Moderators do not decide a game in which their own server plays.
    VOTE_OPPONENT = "vote_opponent"  # A server plays against one member or the computer.
    EMPTY_ROLE = "empty_role"  # No member has the role that is to vote.
    VOTE_NOT_ASKED = "vote_not_asked"  # The card asks another user to play against votes.
    VOTE_RULES = "vote_rules"  # The rules of a vote game are those of a preset.
    VOTE_TERMS_CHANGED = "vote_terms_changed"  # The terms are others than those that were shown.
    NO_VOTE_GAME_HERE = "no_vote_game_here"  # No game in which this server votes belongs to the channel.

    # Conditional moves
    BAD_PLAN = "bad_plan"  # The text is not a line of conditional moves.
    PLAN_NEEDS_TWO = "plan_needs_two"  # Conditional moves need two players.
    PLAN_IN_OWN_TURN = "plan_in_own_turn"  # It is the player's own turn.
    PLAN_TOO_LONG = "plan_too_long"  # A line has one to `most` replies.
    PLAN_AFTER_END = "plan_after_end"  # The line goes on after the game or the turn has ended.

    # Analysis sheets
    SHEET_TURN_GONE = "sheet_turn_gone"  # The sheet or the game no longer has this turn.
    SHEET_FULL = "sheet_full"  # The sheet has `most` turns, or as much text as it may have.
    NOTE_TOO_LONG = "note_too_long"  # A note has at most `most` characters.
    SHEET_NOT_PUBLISHED = "sheet_not_published"  # The other player has not published their notes, or no longer.
    NO_PUBLISHED_NOTES = "no_published_notes"  # There are no published notes to take off.
    SHEET_TAKEN_OFF = "sheet_taken_off"  # Moderators have taken the notes off, which stay with their player.
    SHEET_WHILE_RUNNING = "sheet_while_running"  # Notes are published after the end of the game.
    BAD_MARK = "bad_mark"  # A mark is of no known kind, off the field, or one too many.
    NO_OWN_BOARD = "no_own_board"  # The player has no such board, or no longer.
    NO_SHARED_BOARD = "no_shared_board"  # Nobody shares a board at this address, or no longer.
    TOO_MANY_OWN_BOARDS = "too_many_own_boards"  # The player keeps `most` boards.
    BAD_BOARD_NAME = "bad_board_name"  # A board's name has one to `most` characters.
    BOARD_CHANGED = "board_changed"  # The board was changed elsewhere meanwhile.
    NO_STUDY = "no_study"  # There is no such study or chapter, or the user is not let in, or no longer.
    TOO_MANY_STUDIES = "too_many_studies"  # The player owns `most` studies.
    TOO_MANY_JOINED = "too_many_joined"  # The player is in `most` studies of others.
    TOO_MANY_CHAPTERS = "too_many_chapters"  # A study has `most` chapters.
    LAST_CHAPTER = "last_chapter"  # The only chapter of a study is not deleted.
    STUDY_FULL = "study_full"  # A study has `most` members.
    STUDY_LINK_OVER = "study_link_over"  # The link to a study was withdrawn.
    ONLY_READING = "only_reading"  # The user reads the study, and does not draw.
    ONLY_READING_HERE = "only_reading_here"  # The member reads the study of the server, and does not draw.
    NOT_YOUR_STUDY = "not_your_study"  # That is for the owner of the study.
    NOT_SERVER_HOST = "not_server_host"  # That is for those who host what the server plays.
    BAD_DIAGRAM = "bad_diagram"  # Line `line` of a position in letters is no row of a board.
    DIAGRAM_DIFFERS = "diagram_differs"  # By these rules the dots of a diagram make another position, first at `point`.
    IMPORT_BROKEN = "import_broken"  # The record breaks off at `line` and `column`.
    BRANCH_LEFT = "branch_left"  # The game has gone another way, or nothing of the branch is left to plan.

    # Challenges
    NO_CHALLENGE = "no_challenge"  # There is no such challenge.
    CHALLENGE_SELF = "challenge_self"  # The user challenges themselves.
    OWN_ACCOUNT = "own_account"  # `user` is an account of the same person.
    CHALLENGE_IN_DM = "challenge_in_dm"  # Nobody else reads this direct message.
    OPPONENT_IS_BOT = "opponent_is_bot"  # The opponent is a bot.
    UNKNOWN_PERSON = "unknown_person"  # The platform does not tell who is called `name`.
    OWN_CHALLENGE = "own_challenge"  # The user accepts their own challenge.
    NOT_YOUR_CHALLENGE = "not_your_challenge"  # The challenge is for `user`.
    OPEN_CHALLENGE_STAYS = "open_challenge_stays"  # Only `user` or a moderator can withdraw an open challenge.
    CHALLENGER_LEFT = "challenger_left"  # The challenger, `user`, is no member of the server any more.
    CHALLENGE_ACCEPTED = "challenge_accepted"  # The challenge became a match.
    CHALLENGE_DECLINED = "challenge_declined"  # The challenge was declined.
    CHALLENGE_WITHDRAWN = "challenge_withdrawn"  # The challenge was withdrawn.
    CHALLENGE_OVERTAKEN = "challenge_overtaken"  # Another live game of who offered it has begun.
    CHALLENGE_EXPIRED = "challenge_expired"  # The challenge was not accepted in time.
    CHALLENGE_CHANGED = "challenge_changed"  # The terms have changed since the user saw them.
    OUTSIDE_WINDOW = "outside_window"  # The user's rating is not from `least` to `most`.
    JOINED_ALREADY = "joined_already"  # The user has joined the challenge.
    NOT_JOINED = "not_joined"  # The user has not joined the challenge.
    NOT_YOUR_TERMS = "not_your_terms"  # Only `user` can change the terms.
    SEATS_STAY = "seats_stay"  # Other terms cannot change the number of seats.
    FIXED_TERMS = "fixed_terms"  # The game begins at a position of another one, which fits no other rules.
    NOTHING_CHANGED = "nothing_changed"  # The offered terms are the present ones.
    REMATCH_OFFERED = "rematch_offered"  # A rematch of this match waits for an answer.
    THREAD_TAKEN = "thread_taken"  # The thread is that of another game.
    THREAD_ALONE = "thread_alone"  # The thread is that of another game, and none can begin in its channel.
    VOTE_PREDICTED = "vote_predicted"  # The user has predicted the game, and a vote ends that.
    VOTE_REMATCH = "vote_rematch"  # Only those who manage a server begin another one of its vote games.
    NO_REMATCH = "no_rematch"  # The match was between two servers, which agree on each of theirs.

    # Terms
    NO_DOT_DASH = "no_dot_dash"  # The server has not enabled Dot Dash.
    BAD_CLOCK = "bad_clock"  # The time control cannot be read.
    BAD_DURATION = "bad_duration"  # The duration cannot be read.
    BAD_AGREEMENT = "bad_agreement"  # No agreement on time has that name.
    BAD_WINDOW = "bad_window"  # The range of ratings cannot be read.
    UNRATED_OPTIONS = "unrated_options"  # A rated game cannot differ in `option`.
    UNRATED_SIZE = "unrated_size"  # A rated field has sides from `least` to `most`.
    UNRATED_HANDICAP = "unrated_handicap"  # The worth of this handicap is unknown; komi up to `most` is measured.
    UNRATED_COMPUTER = "unrated_computer"  # Rated games against the computer have two players.

    # Limits on users
    TOO_MANY_MATCHES = "too_many_matches"  # `user` has `count` open matches.
    TOO_MANY_COMPUTERS = "too_many_computers"  # The user has `count` open matches against the computer.
    SERVER_FULL = "server_full"  # The server has `count` open matches.
    TOO_MANY_CHALLENGES = "too_many_challenges"  # The user has `count` open challenges.
    CHANNEL_FULL = "channel_full"  # The channel has `count` open challenges.
    TOO_MANY_TO_ONE = "too_many_to_one"  # The user has challenged `user` `count` times.
    TOO_MANY_CHANGES = "too_many_changes"  # The terms have changed `count` times.
    TOO_MANY_CARDS = "too_many_cards"  # The channel gets too many challenges; `count` seconds to wait.
    EMPTY_FEEDBACK = "empty_feedback"  # The feedback has no text.
    TOO_MUCH_FEEDBACK = "too_much_feedback"  # The user has sent much feedback; `count` minutes to wait.
    TOO_MANY_IMPORTS = "too_many_imports"  # The user has imported too much; `count` seconds to wait.
    IN_LIVE_GAME = "in_live_game"  # `user` is in another live game: this one could begin when that is over.
    TOO_MANY_RATED = "too_many_rated"  # The user has `count` open rated matches.
    TOO_MANY_QUITS = "too_many_quits"  # The user has quit `count` games within a day.

    # Players who do not meet
    BLOCK_SELF = "block_self"  # The user blocks themselves.
    BLOCK_BOT = "block_bot"  # The user blocks a bot.
    TOO_MANY_BLOCKS = "too_many_blocks"  # The user has blocked `count` players.
    YOU_BLOCKED = "you_blocked"  # The user has blocked `user`.
    NO_GAME_WITH = "no_game_with"  # A block, a ban, or all that they play keeps `user` from this game; no more is said.
    BANNED = "banned"  # The server keeps the user from playing on it.
    BANNED_UNTIL = "banned_until"  # The same, `until` then (in seconds).

    # Strangers
    SEEK_OVER = "seek_over"  # The search is over, or its call was not answered in time.
    SEEK_OUT = "seek_out"  # The user has left strangers too often lately.
    NO_STRANGERS = "no_strangers"  # The server lets its members meet no strangers in its channels.
    STRANGERS_CLOSED = "strangers_closed"  # The operator lets nobody meet strangers.
    NO_STRANGER_GAME = "no_stranger_game"  # The user has not met a stranger in this match.
    SEAT_TAKEN = "seat_taken"  # The open seat is taken, or its player looks no more.
    SEAT_OWN = "seat_own"  # The open seat is the user's own, or that of another account of theirs.
    SEAT_CLOSED = "seat_closed"  # Something keeps the two players from each other; which one chose that is not said.
    SEAT_AGAIN = "seat_again"  # The two have met a short while ago.
    SEAT_LATER = "seat_later"  # Others come first: the user has left strangers lately.
    SEAT_CALLED = "seat_called"  # The user is being called to another game of this speed.
    SEAT_WEEKLY = "seat_weekly"  # The user looks for a game a week, which a seat over days would end.
    NO_FRIEND_CODE = "no_friend_code"  # No friend offers a game by such a code, or it is over.
    NO_PHRASE = "no_phrase"  # There is a block between the two strangers of a match.
    ARENA_OVER = "arena_over"  # No arena goes on or gathers, or this one takes no players any more.
    ARENA_FULL = "arena_full"  # The arena has `count` players.
    ARENA_CALLED = "arena_called"  # A partner was found for the user's live search at this moment.

    # Moderation
    BAN_SELF = "ban_self"  # Moderators bring and lift no ban of their own.
    BAN_BOT = "ban_bot"  # The member is a bot.
    BAN_MODERATOR = "ban_moderator"  # The member may moderate as much as the user.
    NOT_BANNED = "not_banned"  # `user` has no ban on this server.
    TOO_MANY_BANS = "too_many_bans"  # The server has `count` bans.
    NOT_OF_THIS_SERVER = "not_of_this_server"  # The match began elsewhere.
    RULING_PROPOSED = "ruling_proposed"  # The moderators of the match's other server have to agree, and were asked.
    RULING_OVER = "ruling_over"  # Nothing is proposed about the match, or no longer.
    BETWEEN_SERVERS = "between_servers"  # No server can void a finished match of two.
    OWN_MATCH = "own_match"  # The moderator plays in the match.
    NOT_A_PLAYER = "not_a_player"  # That user has no seat in the match.
    ANNULLED_ALREADY = "annulled_already"  # The match was voided before.
    TOO_MANY_DECISIONS = "too_many_decisions"  # Moderators have decided `count` matches in favor of `user`.

    # Settings
    BAD_NIGHT = "bad_night"  # The quiet hours cannot be read.
    BAD_ZONE = "bad_zone"  # No time zone has that name.
    NIGHT_NEEDS_PLACE = "night_needs_place"  # The server has no time zone for its nights.
    NIGHT_NEEDS_ZONE = "night_needs_zone"  # Quiet hours need a time zone.

    # Own rule sets
    NO_RULE_SET = "no_rule_set"  # There is no such rule set, or it has another owner.
    NO_RULE_SET_NAME = "no_rule_set_name"  # The name has no visible letter.
    BAD_RULE_SET_NAME = "bad_rule_set_name"  # The name has a mention or a link in it.
    RULE_SET_NAME_TAKEN = "rule_set_name_taken"  # The owner has another rule set with that `name`.
    TOO_MANY_RULE_SETS = "too_many_rule_sets"  # The owner has `most` rule sets.

    # The computer, hints and puzzles
    NO_LESSON = "no_lesson"  # There is no such lesson of a server of the user's.
    TOO_MANY_LESSONS = "too_many_lessons"  # A server has `most` lessons.
    TOO_MANY_PUZZLES = "too_many_puzzles"  # A server has `most` puzzles of coming days.
    LESSON_TOO_LONG = "lesson_too_long"  # What is told of an exercise has more than `most` characters.
    GOAL_OUT_OF_REACH = "goal_out_of_reach"  # The player to move of a position can't reach the goal.
    NOT_UNIQUE = "not_unique"  # In a position too many `moves` reach the goal.
    POSITION_TOO_LARGE = "position_too_large"  # A position takes more to prove than the solver may take.
    RULES_NOT_SOLVED = "rules_not_solved"  # The solver does not know the rules of a position.
    NOTHING_TO_FIND = "nothing_to_find"  # Nothing in a position is wrong, so that nothing is to be found.
    NO_COMPUTER = "no_computer"  # This bot has no computer player.
    COMPUTER_BUSY = "computer_busy"  # Too many requests wait for the engine.
    COMPUTER_OR_OPPONENT = "computer_or_opponent"  # The user named both an opponent and the computer.
    HINT_IN_RATED = "hint_in_rated"  # Rated games have no hints.
    TOO_SHORT_TO_REVIEW = "too_short_to_review"  # The game has too few moves for a review.
    NO_PUZZLE = "no_puzzle"  # There is no such puzzle.
    NO_MISTAKE = "no_mistake"  # The mistake is none of the user's, or was taken off their list.
    NO_RUSH = "no_rush"  # The ten puzzles are not the user's present ones.
    OUTSIDE_PART = "outside_part"  # The dot lies outside of the part of the board that a lesson is about.

    # Players and records
    VERSUS_ONESELF = "versus_oneself"  # A comparison needs two players.
    NOTHING_TO_REPLAY = "nothing_to_replay"  # The game has no moves.
    PLAY_ON_OVER = "play_on_over"  # The game is decided at the position.
    PLAY_ON_RATED = "play_on_rated"  # The game of the position is rated, and goes on.
    PLAY_ON_FORMER = "play_on_former"  # The game of the position has rules that are offered no more.
    PLAY_ON_OUT_OF_TURN = "play_on_out_of_turn"  # Move `number` of the record is not by the player to act.
    NO_SUCH_MOVE = "no_such_move"  # The game has only `most` moves.
    NOTHING_TO_EXPORT = "nothing_to_export"  # The user has no finished games.
    NO_RECORD = "no_record"  # SGF cannot express this game.
    NO_RECORD_HERE = "no_record_here"  # No file of the message is a record.
    NO_BOARD_HERE = "no_board_here"  # The message is no board of a game.
    OTHER_BOARD = "other_board"  # The message answers the forwarded board of another game than the one here.
    IMPORT_TOO_LONG = "import_too_long"  # The file has more than `most` KiB.
    IMPORT_TOO_MUCH = "import_too_much"  # The record has more moves than any game.
    IMPORT_NO_DOTS = "import_no_dots"  # The record is of another game.
    IMPORT_NO_SIZE = "import_no_size"  # The record names no size up to `largest`.
    IMPORT_BAD_MOVE = "import_bad_move"  # Move `number` of the record is illegal.
    IMPORT_BAD_DOT = "import_bad_dot"  # The record is damaged at `dot`.
    IMPORT_UNREADABLE = "import_unreadable"  # The file is no record.

    # Leaderboards and role rewards
    NO_POOL = "no_pool"  # There is no such leaderboard.
    NO_SEASON = "no_season"  # The season cannot be read.
    LEADERBOARD_IN_DM = "leaderboard_in_dm"  # A server's leaderboard needs a server.
    LEADERS_NO_SEASON = "leaders_no_season"  # The user has no rated game in this season.
    LEADERS_NO_GAME = "leaders_no_game"  # The user has no rated game in this pool.
    LEADERS_ELSEWHERE = "leaders_elsewhere"  # The user has no rated game on this server.
    NOTHING_TO_SHARE = "nothing_to_share"  # Nothing of it was played on this server.
    SHARE_NOT_ALLOWED = "share_not_allowed"  # The user may not write in the channel.
    LEADERS_FAR = "leaders_far"  # The user's place is beyond the pages.
    PODIUM_PERMISSION = "podium_permission"  # The bot may not manage roles.
    PODIUM_ROLE_ABOVE = "podium_role_above"  # `role` is above the bot's own role.
    PODIUM_ROLE_FIXED = "podium_role_fixed"  # `role` cannot be given.

    # Tournaments
    NO_TOURNAMENT = "no_tournament"  # There is no such tournament.
    NO_TOURNAMENT_HERE = "no_tournament_here"  # The channel has no tournament.
    TOURNAMENT_HERE = "tournament_here"  # The channel has a tournament.
    TOURNAMENT_ELSEWHERE = "tournament_elsewhere"  # The tournament belongs to another server.
    NOT_YOUR_TOURNAMENT = "not_your_tournament"  # The user is neither its host nor a moderator.
    NOT_A_HOST = "not_a_host"  # The user may not manage messages in this channel.
    NO_TOURNAMENT_NAME = "no_tournament_name"  # The name has no visible letter.
    BAD_PACE = "bad_pace"  # A round takes from `least` to `most`.
    BAD_BEGINS = "bad_begins"  # The time cannot be read.
    BEGINS_WHEN = "begins_when"  # The time is not between `least` and `most` from now.
    BEGINS_NEEDS_ZONE = "begins_needs_zone"  # The user has not set the time zone in which the time is meant.
    NO_COMPUTER_IN_KNOCK_OUT = "no_computer_in_knock_out"  # A knock-out has no seat for the computer.
    TOURNAMENT_OF_TWO = "tournament_of_two"  # Tournaments need games of two.
    NO_THREADS_HERE = "no_threads_here"  # No thread can be opened from a message of this kind of channel.
    EXHIBITION_CLOCK = "exhibition_clock"  # A live clock of an exhibition must be one for the whole game.
    NO_COMPUTER_IN_EXHIBITION = "no_computer_in_exhibition"  # Nobody in an exhibition lacks an opponent.
    GAME_THREADS = "game_threads"  # The bot lacks `permissions` for games with threads of their own.
    TOURNAMENT_SIGNED_UP = "tournament_signed_up"  # The user has signed up.
    TOURNAMENT_FULL = "tournament_full"  # `most` players have signed up.
    TOURNAMENT_NOT_IN = "tournament_not_in"  # The user does not play in the tournament.
    TOURNAMENT_NOT_PLAYING = "tournament_not_playing"  # The player to remove is not in the tournament.
    TOURNAMENT_LEFT = "tournament_left"  # The user has withdrawn, or was removed.
    TOURNAMENT_NOT_ADDED = "tournament_not_added"  # The player is a bot, no member, or may not play by their roles.
    CHECK_IN_NEEDS_TIME = "check_in_needs_time"  # Who is there is asked only before a time to begin.
    TOURNAMENT_NO_CHECK_IN = "tournament_no_check_in"  # It is not the hour in which players say that they are there.
    TOURNAMENT_ROUNDS = "tournament_rounds"  # Only a Swiss system has a chosen number of rounds, `least` by now.
    PAIRING_FIXED = "pairing_fixed"  # The format or the bracket says who meets next, or no round follows.
    PAIRING_MET = "pairing_met"  # The players have met, or are one.
    TOURNAMENT_TOO_FEW = "tournament_too_few"  # A tournament needs `least` players.
    TOURNAMENT_IS_SIGN_UP = "tournament_is_sign_up"  # The tournament has not begun.
    TOURNAMENT_IS_RUNNING = "tournament_is_running"  # The tournament has begun.
    TOURNAMENT_OVER = "tournament_over"  # The tournament has ended.

    # Predictions
    PREDICT_NOT_THIS = "predict_not_this"  # Nobody predicts a match of this kind.
    PREDICT_OWN = "predict_own"  # The user plays the match.
    PREDICT_VOTED = "predict_voted"  # The user has voted for a side of the match.
    PREDICT_MANAGED = "predict_managed"  # The user manages the server that plays the match.
    PREDICT_CLOSED = "predict_closed"  # The match is between its windows for predictions, or past the last one.

    # Server against server
    NO_TEAM_CODE = "no_team_code"  # The code is wrong, used, withdrawn or too old; no more is said.
    TOO_MANY_CODES = "too_many_codes"  # The user or the server has tried too many codes; `count` seconds to wait.
    TEAM_OWN_CODE = "team_own_code"  # The code is the server's own.
    TEAM_MET = "team_met"  # These two servers play each other already.
    TEAM_ELSEWHERE = "team_elsewhere"  # The server takes no part in the match.
    NO_TEAM_MATCH = "no_team_match"  # There is no such match, or the server has none.
    TOO_MANY_TEAM_MATCHES = "too_many_team_matches"  # The server has `count` open matches.
    TEAM_OF_TWO = "team_of_two"  # The games of a match of servers have two players.
    TEAM_IS_INVITED = "team_is_invited"  # The other server has not accepted.
    TEAM_IS_SIGN_UP = "team_is_sign_up"  # The games have not begun.
    TEAM_IS_RUNNING = "team_is_running"  # The games have begun.
    TEAM_OVER = "team_over"  # The match of servers has ended.
    TEAM_SIGNED_UP = "team_signed_up"  # The user has signed up.
    TEAM_OTHER_SIDE = "team_other_side"  # The user has signed up for the other server.
    TEAM_REMOVED = "team_removed"  # A manager has taken the user off the list of their side.
    TEAM_NOT_LISTED = "team_not_listed"  # The member has not signed up for the side.
    NO_SIGN_UP_HERE = "no_sign_up_here"  # No contest takes players in this channel.
    TEAM_NOT_FULL = "team_not_full"  # One of the sides has fewer than `count` players.
    TEAM_FULL = "team_full"  # `most` members of the server have signed up.
    TEAM_NOT_IN = "team_not_in"  # The user has not signed up.
    TEAM_PROPOSED = "team_proposed"  # The server has proposed already to cancel.

    # Ladders
    LADDER_TOP = "ladder_top"  # The user has the first place already.
    LEAGUE_CLOCK = "league_clock"  # Games of a league are played over days: their players are not called together.
    LADDER_TERMS = "ladder_terms"  # All games of the ladder have its terms.
    NOT_A_LADDER_MAKER = "not_a_ladder_maker"  # The user may not manage messages in this channel.
    NO_LADDER = "no_ladder"  # The server has no ladder.
    LADDER_HERE = "ladder_here"  # The server has a ladder.
    LADDER_FULL = "ladder_full"  # `count` players are on the ladder.
    LADDER_NOT_ON = "ladder_not_on"  # `user` is not on the ladder.
    LADDER_ON_ALREADY = "ladder_on_already"  # The user is on the ladder.
    LADDER_REACH = "ladder_reach"  # The opponent is not among the `count` places above.
    LADDER_ASKED_OFTEN = "ladder_asked_often"  # The user has challenged `user` for their place `count` times in a day.
    LADDER_DUEL = "ladder_duel"  # `user` has a duel already.

    # The league
    NO_LEAGUE = "no_league"  # The server has no league.
    LEAGUE_OPEN = "league_open"  # A league was opened meanwhile.
    LEAGUE_HERE = "league_here"  # The server has a league.
    LEAGUE_NOT_IN = "league_not_in"  # The user is not in the league.
    LEAGUE_IN_ALREADY = "league_in_already"  # The user is in the league.
    LEAGUE_PAUSED_ALREADY = "league_paused_already"  # The user does not play in the next season anyway.
    LEAGUE_FULL = "league_full"  # `count` players are in the league.
    LEAGUE_YOUNG_ACCOUNT = "league_young_account"  # The account is younger than `count` days.
    NO_LEAGUE_SEASON = "no_league_season"  # The league has had no season, or not this one.

    # The web board
    BEGIN_IN_CHAT = "begin_in_chat"  # On the user's platform games begin in its chats alone.
    NO_SITE = "no_site"  # The operator has no site.
    NO_PAGE = "no_page"  # Nothing that everyone may see has this address.
    NO_LINK_CODE = "no_link_code"  # There is no such code, or it is over.
    OWN_LINK_CODE = "own_link_code"  # A code is given on another platform than the one that asked for it.
    LINKED_ALREADY = "linked_already"  # The two accounts are of one person already.
    PLATFORM_TAKEN = "platform_taken"  # A person has one account on each platform.
    NOT_LINKED = "not_linked"  # The account is joined with no other.
    LINK_NOT_TAKEN = "link_not_taken"  # The chat does not confirm that the user links their account.
    NOT_CONFIRMED = "not_confirmed"  # The chat does not confirm the user who opens the Activity, or signs in.
    LAUNCH_NOT_TAKEN = "launch_not_taken"  # No chat has signed what opens the Mini App, or it is old or was used.
    ACTIVITY_ENDED = "activity_ended"  # The chat knows no such Activity, or not with the user in it.
    NO_COOKIES = "no_cookies"  # The browser has kept no cookie of the step before.
    BAD_LINK = "bad_link"  # This bot has not made the link.
    EXPIRED_LINK = "expired_link"  # The link is too old, or the user has ended all their sessions since.
    USED_LINK = "used_link"  # The link was exchanged for a session already.
    NO_SESSION = "no_session"  # The browser has no session, or it has ended.
    SIGNED_OUT = "signed_out"  # The same, at the address of a game's board, which may be a friend's.
    NOT_YOUR_BOARD = "not_your_board"  # The user neither plays the match nor sees it in the chat.
    WATCH_OVER = "watch_over"  # The user may no longer watch the match; no more is said.
    ONLY_WATCHING = "only_watching"  # The user watches the match, and cannot play in it.
    FOREIGN_PAGE = "foreign_page"  # A page of another site has sent the request.
    TOO_MANY_BOARDS = "too_many_boards"  # The user, or all users together, have too many boards open.
    TIMED_OUT = "timed_out"  # A moderator has timed the user out on the server.
    PENDING = "pending"  # The user has yet to accept the rules of the server (membership screening).
    CANNOT_POST_THERE = "cannot_post_there"  # The chat does not let the user write in the channel of the match.
    NOT_POSTED = "not_posted"  # The chat did not take the message.
    PICTURE_NOT_TAKEN = "picture_not_taken"  # The chat keeps no picture now.
    NO_DIRECT_MESSAGES = "no_direct_messages"  # The chat lets the bot send the user no direct messages.
    NO_PLAY_THERE = "no_play_there"  # The user may not challenge, or the bot not post, in the channel.
    FRIEND_NOT_THERE = "friend_not_there"  # Whom one challenges by name doesn't see the channel, or isn't known there.
    NOTHING_TO_JOIN = "nothing_to_join"  # What one wants to take part in is over, or in a channel that they don't see.
    BAD_MESSAGE = "bad_message"  # The message is none of the protocol.


class Refused(Exception):
    """A request that was rejected; nothing was changed.

    Attributes:
        key: the reason.
        details: what the sentence of the reason needs.
    """

    def __init__(self, key: Reason, **details: str | int) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details

    def __reduce__(self) -> tuple[object, ...]:
        return _refused, (self.key, self.details)

    @classmethod
    def by_rules(cls, error: RuleError) -> Refused:
        """Returns the refusal for what the rules of the game reject."""
        return cls(Reason(error.key), **error.details)


def _refused(key: Reason, details: dict[str, str | int]) -> Refused:
    """Returns the refusal that another process has raised."""
    return Refused(key, **details)
