"""`kropka`: the command line. Parsing it loads nothing else; each command loads what it needs."""

import argparse
import signal
import sys
from datetime import datetime
from pathlib import Path

from bot.cli.complaint import MAY_PASS, complain
from bot.version import version

COMMANDS = {
    "run": "run the bot; without a token, try it out on a stand-in for Discord",
    "sync": "tell Discord the slash commands, after an installation or a change",
    "migrate": "bring the database up to date, as run does, or move into a new one",
    "backup": "copy the database file, also while the bot works",
    "restore": "put a copy in the place of the database file",
    "doctor": "ask whether all that the bot needs is in order, here, at Discord and on the web",
    "operator": "speak to all servers, block, leave, and pause new games; also while the bot works",
    "health": "ask the running bot on this machine how it is",
    "replay": "replay recorded games (SGF, GM[40]; PointsXT) and print the results",
    "engine": "play Dots with other programs, line by line on standard input and output, and compile it first",
}
"""What each command does; its help."""

OPERATOR_ACTS = {
    "figures": "how much is played, and what waits",
    "announce": "say something on every server, once",
    "status": "how many servers have the announcement",
    "withdraw": "keep the announcement from the servers that wait for it",
    "block": "answer a server or a user no more",
    "unblock": "answer them again",
    "blocked": "who is blocked",
    "leave": "leave a server",
    "pause": "let no game begin",
    "resume": "let games begin again",
    "reports": "who was reported by strangers, and for which game",
    "close-strangers": "let nobody meet strangers",
    "open-strangers": "let them meet again",
    "log": "the last acts of operators",
}
"""What `kropka operator` does; its help."""

MAX_ID, MAX_REASON = 2**63 - 1, 500
"""The highest id that a database holds, and the characters of a reason."""


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(prog="kropka", description="A Discord bot for the squared-paper game Dots.")
    parser.add_argument("--version", action=_Version, nargs=0, help="tell the version and the commit")
    commands = parser.add_subparsers(dest="command", required=True)
    parsers = {name: commands.add_parser(name, help=words, description=words) for name, words in COMMANDS.items()}
    parsers["migrate"].add_argument("--from", dest="source", metavar="ADDRESS", help="the database to move from")
    for name, words in (("backup", "where to; it must not exist"), ("restore", "the copy")):
        parsers[name].add_argument("file", type=Path, help=words)
    _add_replay_options(parsers["replay"])
    _add_operator_commands(parsers["operator"])
    return parser


class _Version(argparse.Action):
    """The option that tells the version. It asks for the commit only if it is used."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"kropka {version()}")  # noqa: T201 - what the option is for
        parser.exit()


def _add_replay_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="an SGF record, or a .sav of PointsXT")
    parser.add_argument("--rules", metavar="KEY", type=_preset, default="zagram", help="a preset; default: %(default)s")
    parser.add_argument("--json", action="store_true", help="one JSON object a line and file")
    parser.add_argument("--at-risk", action="store_true", help="tell as well what each player would lose by grounding")
    parser.add_argument(
        "--png", metavar="OUT", type=Path, help="draw the last position: a file, or a folder for several"
    )


def _add_operator_commands(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", required=True)
    parsers = {name: acts.add_parser(name, help=words, description=words) for name, words in OPERATOR_ACTS.items()}
    parsers["figures"].add_argument("--json", action="store_true", help="one JSON object")
    parsers["announce"].add_argument("file", type=Path, help="TOML: a text for each language")
    parsers["announce"].add_argument("--preview", action="store_true", help="only print what servers will read")
    for name in ("block", "unblock"):
        parsers[name].add_argument("kind", choices=("server", "user"))
    parsers["block"].add_argument("--reason", type=_line, default="", help="for the log; players don't read it")
    for name in ("block", "unblock", "leave"):
        parsers[name].add_argument("id", type=_id, help="the id on Discord")
    parsers["pause"].add_argument("--until", type=_moment, help="as 2027-01-31T22:00+01:00; default: until resume")


def _line(text: str) -> str:
    return " ".join(text.split())[:MAX_REASON]


def _id(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MAX_ID:
        raise argparse.ArgumentTypeError(f"{text!r} is no id of Discord")
    return int(text)


def _moment(text: str) -> int:
    """Returns a time in milliseconds since the UTC epoch."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write it as 2027-01-31T22:00+01:00") from None
    if moment.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{text!r} has no time zone; add Z or +01:00")
    return int(moment.timestamp() * 1000)


def _preset(key: str) -> str:
    from bot.cli.replay import PRESETS

    if key not in PRESETS:
        raise argparse.ArgumentTypeError(f"there is no preset {key!r}; choose from {', '.join(PRESETS)}")
    return key


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit status; a failure is told in one sentence."""
    parsed = make_parser().parse_args(arguments)
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # while it loads, Ctrl-C just ends it, without a traceback
    try:
        return _run(parsed)
    except OSError as error:
        return complain(str(error) or type(error).__name__, MAY_PASS)
    finally:
        signal.signal(signal.SIGINT, before)


def _run(parsed: argparse.Namespace) -> int:
    """Runs the parsed command. Loading discord.py, the database and the computer takes seconds, so it is done here."""
    match parsed.command:
        case "health":
            from bot.cli import health

            return health.run()
        case "replay":
            from bot.cli import replay

            return replay.run(parsed)
        case "engine":
            from opponent.engine import serve

            serve(sys.stdin, sys.stdout)
            return 0
        case _:
            from bot.cli.operation import operate

            return operate(parsed)


if __name__ == "__main__":
    sys.exit(main())
