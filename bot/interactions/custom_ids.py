"""The forms of all custom ids. They hang on messages for years: a form is never changed, only added."""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from play.clock import Speed
from play.community.milestone import Milestone
from play.match.events import OfferKind
from play.posts import PostKey, PostKind
from play.votes import Choice
from presentation.match.narration import CALLS
from rules.dots.options import CHOICES

MAX_LENGTH: Final = 100
"""Characters of a custom id; Discord's limit."""

_FIELD = re.compile(r"\{(\w+)\}")

# The terms panel: each has the whole draft
TYPED: Final = ("size", "clock", "win", "play_out")
"""The settings that can be typed."""


class Field(NamedTuple):
    """A place for a value: the pattern of its texts, and what reads them."""

    pattern: str
    read: Callable[[str], Any] = str


def number(digits: int) -> Field:
    """Returns the field of a number with at most so many digits."""
    return Field(rf"\d{{1,{digits}}}", int)


def one_of(*texts: str) -> Field:
    """Returns the field that is one of the texts."""
    return Field("|".join(map(re.escape, texts)))


class CustomId:
    """A form of custom ids: `lesson:{task}[:{point}]` has two fields. What is in brackets is left out without a value.

    It is a function of the values to the id.
    """

    def __init__(self, template: str, **fields: Field) -> None:
        self.template, self._fields = template, fields
        self._head, _, self._tail = template.rstrip("]").partition("[")
        tail = f"(?:{self._pattern_of(self._tail)})?" if self._tail else ""
        self.pattern = re.compile(self._pattern_of(self._head) + tail)
        """The template of `discord.ui.DynamicItem`."""

    def _pattern_of(self, template: str) -> str:
        parts = _FIELD.split(template)  # texts, and the names of fields between them
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = (f"(?P<{name}>{self._fields[name].pattern})" for name in parts[1::2])
        return "".join(parts)

    @property
    def subject(self) -> str:
        """The word that the ids begin with."""
        return self.template.partition(":")[0]

    @property
    def action(self) -> str:
        """The last word of the ids that is the same in all of them."""
        return [part for part in self._head.split(":") if not _FIELD.search(part)][-1]

    def __call__(self, **values: object) -> str:
        has_tail = all(values.get(name) for name in _FIELD.findall(self._tail))
        text = (self._head + self._tail if has_tail else self._head).format(**values)
        assert self.pattern.fullmatch(text), f"{text!r} is no {self.template}"
        assert len(text) <= MAX_LENGTH, f"{text!r} is too long"
        return text

    def read(self, text: str) -> dict[str, Any] | None:
        """Returns the values in an id, by name; None for an id of another form."""
        found = self.pattern.fullmatch(text)
        return found and {name: field.read(found[name] or "") for name, field in self._fields.items()}


MATCH, VERSION = Field("[0-9]{1,15}", int), Field("[0-9]{1,9}", int)
USER, COUNT, NUMBER = number(20), number(6), number(15)
DIGIT = Field(r"\d", int)
POOL = Field("[a-z]+-[a-z]+")

# A match: all belong to one of its versions, and their beginning takes 32 of the 100 characters


def _match_id(template: str, **fields: Field) -> CustomId:
    return CustomId(f"match:{{match}}:{{version}}:{template}", match=MATCH, version=VERSION, **fields)


OF_MATCH = _match_id("{rest}", rest=Field(".+"))
"""Any of them."""

_TURN, _LENGTH, _OFFER = Field(".{1,60}"), Field(r"\d{1,4}[dhms]"), one_of(*OfferKind)
POINT = _match_id("point")
KEYPAD = _match_id("keypad")
_STEP_CODE, _STEP_PLACE = Field("[^:@]{0,60}"), Field(r"[A-Z]{1,2}[0-9]{1,2}|\*[A-Z]?")
STEP = _match_id("go:{code}@{place}", code=_STEP_CODE, place=_STEP_PLACE)
PLAY = _match_id("play:{code}", code=_TURN)
HINT = _match_id("hint")
PLAY_HINT = _match_id("hint:{code}", code=_TURN)
MORE = _match_id("more")
MATCH_RULES = _match_id("rules")
QUIET = _match_id("quiet:{quiet}", quiet=Field("[01]", int))
DRAW = _match_id("draw")
TAKEBACK = _match_id("takeback")
ABORT = _match_id("abort")
CONFIRM_ABORT = _match_id("sure:abort")
AGREE = _match_id("agree:{offer}", offer=_OFFER)
DECLINE_OFFER = _match_id("disagree:{offer}", offer=_OFFER)
STOP = _match_id("stop")
LAND = _match_id("land")
END = _match_id("end")
RESIGN = _match_id("resign")
VOTES = _match_id("votes")
VOTE_ANYWAY = _match_id("vote:{choice}:{text}", choice=one_of(*Choice), text=Field(".{0,54}"))
VOTE_AGAIN = _match_id("vote:rematch")
CONFIRM_DRAW_VOTE = _match_id("sure:draw")
LOOK_AT_END = _match_id("look:{call}:{seat}", call=one_of(*CALLS), seat=DIGIT)
CONFIRM_END = _match_id("sure:{way}", way=one_of(*CALLS, "end", "resign"))
CANCEL_END = _match_id("keep:{seat}", seat=DIGIT)
CLOCKS = _match_id("clock")
GIVE_TIME = _match_id("give:{length}", length=_LENGTH)
PAUSE = _match_id("pause:{length}", length=_LENGTH)
RESUME = _match_id("resume")
PLAN = _match_id("plan")
WRITE_PLAN = _match_id("write_plan")
CLEAR_PLAN = _match_id("clear_plan")
OPEN_VACATION = _match_id("vacation")
REMATCH = _match_id("rematch")
REVIEW = _match_id("review")
FILM = _match_id("film")
RECORD = _match_id("record")
REPLAY = _match_id("replay")
REPORT = _match_id("report")
SAY = _match_id("say")
PHRASE = _match_id("phrase")
BOARD = _match_id("web")
LAUNCH = _match_id("launch")
PREDICT = _match_id("predict")
PREDICT_RESULT = _match_id("predict:result")
FIND_BETTER = _match_id(
    "better:{number}.{tried}[:{answer}]",
    number=Field("[0-9]{1,4}", int),
    tried=Field("[0-9]{0,4}"),
    answer=Field(".{1,24}"),
)
VACATION = CustomId("vacation:{days}", days=number(3))
VACATION_ANYWAY = CustomId("vacation:{days}:anyway", days=number(3))
WITHDRAW_OWN = CustomId("games:withdraw:{challenge}", challenge=NUMBER)

KEEP = CustomId("keep")

# Never answered: the buttons with them are disabled
TAKEN = CustomId("taken:{number}", number=number(2))
NOWHERE = CustomId("nowhere:{arrow}", arrow=Field(".+"))
FULL = CustomId("full:{sign}", sign=Field(".+"))
CLOSED = CustomId("closed:{label}", label=Field(".+"))

# A challenge, under the terms as they are after so many changes


def _challenge_id(action: str, subject: str = "challenge") -> CustomId:
    return CustomId(f"{subject}:{{challenge}}:{{changes}}:{action}", challenge=NUMBER, changes=COUNT)


ACCEPT = _challenge_id("accept")
ACCEPT_AT_HOME = _challenge_id("accept", "home")
LEAVE_CHALLENGE = _challenge_id("leave")
DECLINE = _challenge_id("decline")
ASK_TO_DECLINE = _challenge_id("ask")
FORFEIT = _challenge_id("forfeit")
CHANGE_TERMS = _challenge_id("change")
PROPOSE_FAIR = _challenge_id("fair")
NEWCOMER = CustomId("newcomer:play")
CHALLENGE_SOMEONE = CustomId("welcome:challenge")

# Strangers
_SWITCH = Field("[01]", int)
ALIAS = CustomId("seek:name")
PLAY_PANEL = CustomId("seek:panel:{flexible}", flexible=_SWITCH)
SEEK = CustomId("seek:look:{speed}:{flexible}:{weekly}", speed=one_of(*Speed), flexible=_SWITCH, weekly=_SWITCH)
LEAVE_SEEK = CustomId("seek:{seek}:leave", seek=NUMBER)
ARENA = CustomId("arena:{way}", way=one_of("join", "pause"))
ARENA_CHANNEL = CustomId("arenapost:channel")
ARENA_PLACE = CustomId("arenapost:open")
READY = CustomId("seek:{seek}:ready", seek=NUMBER)
SIT = CustomId("seat:{seek}:sit", seek=NUMBER)
MEANWHILE = CustomId("seek:{seek}:meanwhile", seek=NUMBER)
FRIENDS = CustomId("friend:open")
INVITE = CustomId("friend:invite:{speed}", speed=one_of(*Speed))
WITHDRAW_INVITATION = CustomId("friend:{seek}:withdraw", seek=NUMBER)
CONFIRM_REPORT = CustomId("seek:report:{match}", match=MATCH)


_TERMS = {"target": Field(r"[a-z]+[\d.]*"), "draft": Field(r"[\w|+\-/~]{1,80}")}
TERMS_FIELD = CustomId(
    "terms:{target}:{draft}:{field}",
    field=one_of("rules", "own", "size", "clock", "level", "order", "agreed", "win", "play_out", *CHOICES),
    **_TERMS,
)
TERMS = CustomId(
    "terms:{target}:{draft}:{way}",
    way=one_of(
        *("save", "rated", "fair", "other-size", "other-clock"), *("page-terms", "page-bases", "page-end", "page-fair")
    ),
    **_TERMS,
)
TYPE_AGAIN = CustomId("terms:{target}:{draft}:other-{field}", field=one_of("win", "play_out"), **_TERMS)
TERMS_FORM = CustomId("terms:{target}:{draft}:other-{field}", field=one_of(*TYPED), **_TERMS)
NAME_DRAFT = CustomId("terms:{target}:{draft}:name", **_TERMS)
NAME_OPPONENT = CustomId("terms:{target}:{draft}:opponent", **_TERMS)

# A moderator's decision: what it is, the process knows that asked
CONFIRM_DECISION = CustomId("moderate:{question}", question=USER)
RULING = CustomId("ruling:{match}", match=MATCH)

# Own rule sets
_WHOSE = one_of("me", "server")
PICK_RULE_SET = CustomId("sets:{whose}:open", whose=_WHOSE)
RULE_SETS = CustomId("sets:{whose}:list", whose=_WHOSE)
NEW_RULE_SET = CustomId("sets:{whose}:new", whose=_WHOSE)
RENAME_RULE_SET = CustomId("sets:{whose}:{number}:name", whose=_WHOSE, number=NUMBER)
RULE_SET = CustomId(
    "sets:{whose}:{number}:{way}",
    whose=_WHOSE,
    number=NUMBER,
    way=one_of("show", "rules", "clock", "usual", "delete"),
)
DELETE_RULE_SET = CustomId("sets:{whose}:{number}:sure", whose=_WHOSE, number=NUMBER)

# Settings
PERSONAL_FIELD = CustomId(
    "me:{field}", field=one_of("language", "theme", "confirm", "next", "watching", "reminders", "steps", "pings")
)
PERSONAL = CustomId("me:{way}", way=Field("clock|usual|forget|shown|unlink|(?:milestones|watchable)[01]"))
QUIET_HOURS = CustomId("me:clock")
ZONE = CustomId("me:zone:{night}", night=Field(r"[\d:-]{0,11}"))
SIGN_OUT = CustomId("me:signout")
OPEN_BLOCKED = CustomId("blocked:open")
BLOCK = CustomId("blocked:add")
UNBLOCK = CustomId("blocked:remove{menu}", menu=Field("[0-3]", int))
SERVER_FIELD = CustomId("server:{field}", field=one_of("language", "theme"))
SERVER_CHANNELS = CustomId("server:channels")
SERVER_ROLES = CustomId("server:roles")
_SWITCHES = "threads|rated|dot_dash|pages|events|news|strangers"
SERVER = CustomId("server:{way}", way=Field(f"(?:{_SWITCHES})[01]|usual|forget|shown"))
REWARD_ROLE = CustomId("podium:role{step}", step=Field("[0-2]", int))
REWARDS_POOL = CustomId("podium:pool")
REWARDS_BASIS = CustomId("podium:{basis}", basis=one_of("ratings", "season"))
OPEN_REWARDS = CustomId("podium:open")
OPEN_LOG = CustomId("log:open")
LOG_CHANNEL = CustomId("log:channel")
DAILY_CHANNEL = CustomId("dailypost:channel")
DAILY_HOUR = CustomId("dailypost:hour")
DAILY_PLACE = CustomId("dailypost:{way}", way=Field("open|post|(?:choices|compared)[01]"))
BEGINNINGS = CustomId("begin:{way}", way=one_of("cards", "tournament", "league", "ladder", "vote", "contest"))
BEGIN_SURE = CustomId("begin:{what}:sure", what=one_of("ladder", "contest"))
BEGIN_TOURNAMENT = CustomId("begin:tournament:name")
HOME_CHANNEL = CustomId("home:channel")
HOME_ROLE = CustomId("home:role")
SEATS_CHANNEL = CustomId("seats:channel")
SEATS = CustomId("seats:{way}", way=one_of("open", "post"))
HOME = CustomId("home:{way}", way=one_of("open", "post", "stop"))

# Help
LESSON = CustomId("lesson:{task}[:{point}]", task=Field("[0-2]", int), point=Field("[A-E][1-5]"))
_LESSON = Field("[a-z]{2,20}")
LEARN = CustomId("learn:{lesson}[:{point}]", lesson=_LESSON, point=Field("[A-I][1-9]|stop"))
PATH = CustomId("path:{chapter}", chapter=DIGIT)
DRILL = CustomId("drill:{lesson}", lesson=_LESSON)
_BUILT_IN = {"number": number(6), "found": Field("(?:[a-z]{2}|ST){0,5}")}
_DRILL = {"lesson": _LESSON, **_BUILT_IN}
_SUBJECT = Field("capture|net|ladder|escape|wall|stop|ending")
MANUAL = CustomId("help:{page}", page=number(2))
PURPOSES = CustomId("help:purposes")
CONTENTS = CustomId("rules:contents")
RULES_PAGE = CustomId("rules:{way}:{page}", way=one_of("back", "on"), page=Field("[a-z-]{1,40}"))
FEEDBACK = CustomId("feedback")

# Exercises


class QuizIds(NamedTuple):
    """The forms of what is below a board on which an exercise is played."""

    go: CustomId
    play: CustomId
    show: CustomId
    point: CustomId


def _quiz_ids(key: str, **fields: Field) -> QuizIds:
    place = Field(r"(?:[A-Z]{1,2}[0-9]{1,2}|\*[A-Z]?)?")
    return QuizIds(
        CustomId(f"{key}:go:{{code}}@{{place}}", code=Field("[^:@]{0,60}"), place=place, **fields),
        CustomId(f"{key}:play:{{move}}", move=Field(r"[A-Z]{1,2}\d{1,2}|stop"), **fields),
        CustomId(f"{key}:show", **fields),
        CustomId(f"{key}:point", **fields),
    )


_DAY = Field(r"\d{4}-\d\d-\d\d")
_DAILY = {"day": _DAY, "tries": number(4)}
DAILY_MOVES = _quiz_ids("daily:{day}:{tries}", **_DAILY)
DAILY_ANSWER = CustomId("daily:{day}:{tries}:answer:{answer}", answer=DIGIT, **_DAILY)
DAILY_LOOK = CustomId("daily:{day}:look", day=_DAY)
OPEN_DAILY = CustomId("daily:open")
LESSON_MOVES = _quiz_ids("learn:{lesson}", lesson=_LESSON)
SERVER_LESSONS = CustomId("taught:list:{page}", page=DIGIT)
TAUGHT_MOVES = _quiz_ids("taught:{taught}", taught=NUMBER)
DRILL_MOVES = _quiz_ids("drill:{lesson}:{number}:{found}", **_DRILL)
KINDS = CustomId("train:kinds")
TRAIN = CustomId("train:{subject}", subject=_SUBJECT)
TRAIN_MOVES = _quiz_ids("train:{subject}:{number}:{found}", subject=_SUBJECT, **_BUILT_IN)
LOOK_BACK = CustomId("back:{number}:{found}:{ply}", ply=number(2), **_BUILT_IN)
OWN_PUZZLE = CustomId("puzzle:own")
PUZZLE = CustomId("puzzle:{puzzle}:{answer}", puzzle=NUMBER, answer=DIGIT)
PUZZLE_MOVES = _quiz_ids("puzzle:{puzzle}", puzzle=NUMBER)
BEGIN_RUSH = CustomId("rush:begin")
RUSH = CustomId("rush:{begun}:{step}:{answer}", begun=NUMBER, step=DIGIT, answer=DIGIT)
MY_MISTAKES = CustomId("mistakes:due")
MISTAKE_MOVES = _quiz_ids("mistake:{match}:{number}", match=NUMBER, number=number(4))

# Players and records
HISTORY = CustomId("history:{user}:{other}:{start}", user=USER, other=USER, start=COUNT)
_MILESTONE = Field("|".join(Milestone), Milestone)
MILESTONE = CustomId("milestone:{milestone}", milestone=_MILESTONE)
MILESTONES = CustomId("milestones:open")
CHOOSE_MILESTONE = CustomId("milestones:choose")
_YEAR = Field(r"[1-9]\d{3}", lambda text: int(text) if text else None)
YEAR = CustomId("year:own[:{year}]", year=_YEAR)
SERVER_YEAR = CustomId("year:server[:{year}]", year=_YEAR)
PROFILE = CustomId("profile:{user}:{pool}", user=USER, pool=POOL)
DELETE_DATA = CustomId("privacy:forget")
_RULES = Field("[a-z0-9-]{1,30}")
IMPORT_STEP = CustomId("import:{source}:{place}:{to}", source=_RULES, place=Field("[0-5]", int), to=number(5))
IMPORT_FILM = CustomId("import:{source}:film", source=_RULES)

# A game move by move: of this bot, by its number, or of a record that was imported, by the rules
_SOURCE = Field("[0-9]{1,18}|[a-z][a-z0-9-]{0,29}")
REPLAY_STEP = CustomId("replay:{source}:{place}:{to}", source=_SOURCE, place=DIGIT, to=COUNT)
REPLAY_TURNING_POINT = CustomId("replay:{match}:turning:{after}", match=NUMBER, after=COUNT)
REPLAY_JUMP = CustomId("replay:{source}:jump[:{moves}]", source=_SOURCE, moves=Field("[0-9]{1,5}"))

# A game from a position of another one
_FROM = {"source": _SOURCE, "number": COUNT}
PLAY_ON = CustomId("on:{source}:{number}", **_FROM)
PLAY_ON_LEVEL = CustomId("on:{source}:{number}:{seat}:level", seat=DIGIT, **_FROM)
PLAY_ON_FRIEND = CustomId("on:{source}:{number}:{seat}:friend", seat=DIGIT, **_FROM)
PLAY_ON_ANYONE = CustomId("on:{source}:{number}:{seat}:anyone", seat=DIGIT, **_FROM)
PLAY_ON_SWAP = CustomId("on:{source}:{number}:{seat}:swap", seat=DIGIT, **_FROM)

# Leaderboards
_PAGE = {"where": one_of("all", "here"), "pool": POOL, "season": Field(r"-|\d{4}q[1-4]")}
LEADERBOARD = CustomId("leaders:{where}:{pool}:{season}:{start}", start=COUNT, **_PAGE)
FIND_ME = CustomId("leaders:me:{where}:{pool}:{season}", **_PAGE)

PREDICT_TABLE = CustomId("predict:table:{season}", season=Field(r"\d{4}q[1-4]"))

# Shared answers
SHARE_LEADERBOARD = CustomId("share:leaders:{where}:{pool}:{season}:{start}", start=COUNT, **_PAGE)
SHARE_PROFILE = CustomId("share:profile:{user}:{pool}", user=USER, pool=Field("[a-z]+-[a-z]+|-"))
SHARE_MILESTONE = CustomId("share:milestone:{milestone}", milestone=_MILESTONE)
SHARE_YEAR = CustomId("share:year:{year}", year=_YEAR)
SHARE_SERVER_YEAR = CustomId("share:server-year:{year}", year=_YEAR)
SHARE_FILM = CustomId("share:film:{match}", match=number(18))
SHARE_POSITION = CustomId("share:position:{source}:{number}", source=_SOURCE, number=COUNT)
SHARE_DAILY = CustomId("share:daily:{day}", day=_DAY)
SHARE_REVIEW = CustomId("share:review:{match}", match=number(18))

# A tournament


def _tournament_id(template: str, **fields: Field) -> CustomId:
    return CustomId(f"tournament:{{tournament}}:{template}", tournament=NUMBER, **fields)


JOIN = _tournament_id("join")
WITHDRAW = _tournament_id("withdraw")
CONFIRM_WITHDRAWAL = _tournament_id("sure:withdraw")
CONFIRM_CANCELLATION = _tournament_id("sure:cancel")
BEGIN = _tournament_id("begin")
HERE = _tournament_id("here")
TOURNAMENT_TERMS = _tournament_id("terms")
TOURNAMENT_PLAYERS = _tournament_id("players")
PICK_PLAYER = _tournament_id("players:{menu}", menu=Field("[0-2]", int))
REMOVE_PLAYER = _tournament_id("{way}:{user}", way=one_of("remove", "expel"), user=Field(r"-?\d{1,20}", int))

# What is kept in a channel
_POST = Field(rf"(?:{'|'.join(PostKind)})\.\d{{1,20}}\.[01]", PostKey.read)
CHOOSE_CHANNEL = CustomId("kept:{post}", post=_POST)
TAKE_CHANNEL = CustomId("kept:{post}:{menu}", post=_POST, menu=DIGIT)

_CODE = Field("[0-9A-Z]{12}")

# A person's accounts on several platforms
ACCEPT_INVITATION = CustomId("friend:accept:{code}", code=_CODE)
JOIN_ACCOUNT = CustomId("link:join:{code}", code=_CODE)
PART_ACCOUNT = CustomId("link:part")

# A contest of two servers
ACCEPT_TEAM = CustomId("team:accept:{code}", code=_CODE)
DECLINE_TEAM = CustomId("team:decline:{code}", code=_CODE)
JOIN_TEAM = CustomId("team:{contest}:join", contest=NUMBER)
LEAVE_TEAM = CustomId("team:{contest}:leave", contest=NUMBER)
CONFIRM_LEAVING_TEAM = CustomId("team:{contest}:sure", contest=NUMBER)
BEGIN_TEAM = CustomId("team:{contest}:begin", contest=NUMBER)
CONFIRM_TEAM_BEGIN = CustomId("team:{contest}:begins", contest=NUMBER)
WITHDRAW_TEAM = CustomId("team:{contest}:withdraw", contest=NUMBER)
LIST_SERVER = CustomId("team:listed:{listed}", listed=Field("[01]", int))

# A vote game: the first three have the game that is to begin (bot/features/votes/beginning.py)
_ID, _SIZE, _NIGHT = r"(?:\d{1,20}|x[0-9a-f]{1,16})", r"(?:\d{1,2}x\d{1,2})?", r"\d{1,8}"
_VOTE_GAME = Field(
    rf"{_ID}\.\d{{1,2}}\.{_ID}\.\d{{1,4}}m?\.\d{{1,3}}\.[a-z0-9-]{{0,24}}\.[0-9a-f]{{4}}(?:\.{_SIZE}(?:\.{_NIGHT})?)?"
)
VOTE_BEGIN = CustomId("vote:begin:{draft}", draft=_VOTE_GAME)
VOTE_ACCEPT = CustomId("vote:accept:{draft}", draft=_VOTE_GAME)
VOTE_DECLINE = CustomId("vote:decline:{draft}", draft=_VOTE_GAME)
VOTE_CLOSE = CustomId("vote:{match}:close", match=MATCH)
VOTE_END = CustomId("vote:{match}:end", match=MATCH)

# The ladder of a server
JOIN_LADDER = CustomId("ladder:join")
CHALLENGE_ON_LADDER = CustomId("ladder:challenge")
LEAVE_LADDER = CustomId("ladder:leave")
CONFIRM_LEAVE = CustomId("ladder:sure")
PICK_TARGET = CustomId("ladder:target")
LADDER_TERMS = CustomId("ladder:terms")

# The league of a server
OPEN_LEAGUE = CustomId("league:open:{question}", question=USER)
JOIN_LEAGUE = CustomId("league:join")
BACK_IN_LEAGUE = CustomId("league:back")
LEAGUE_TABLES = CustomId("league:tables")
LEAGUE_PAGE = CustomId("league:page:{season}:{division}", season=number(3), division=number(2))
LEAGUE_TERMS = CustomId("league:terms")
KEEP_LEAGUE_TERMS = CustomId("league:keep")
LEAVE_LEAGUE = CustomId("league:leave")
CLOSE_LEAGUE = CustomId("league:close")
