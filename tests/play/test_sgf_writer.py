"""Writing a match in SGF, and reading it back whole."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from string import ascii_letters

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from play.ids import MatchId, Millis
from play.match.events import Event, EventKind
from play.match.match import Match
from play.match.snapshot import MatchSnapshot
from play.records.record import MAX_RECORD_BYTES, BadRecord, Dot, Record
from play.records.sgf import read, write
from play.records.transcript import transcript
from rules.dots import Dots, Measure
from rules.game import Outcome, Point, Seat, point_name
from rules.opening import play_on
from rules.registry import GAMES, NEEDS_CONSENT, make_game
from tests.clock import NOON
from tests.examples import examples
from tests.facts import recorded_games
from tests.play.walks import NAMES, PRESETS, USERS, played, random_match, walk
from tests.rules.brute_force import Field

RED, BLUE = Seat(0), Seat(1)


def written(match: Match, *players: str) -> str:
    return write(transcript(match, players or ("Ann", "Bob"))).decode()


def lines(match: Match) -> list[str]:
    """Returns the nodes after the first, without the private property."""
    return [line[1:].split("KP[")[0].rstrip(")") for line in written(match).splitlines()[1:]]


def again(match: Match) -> Match:
    history = read(write(transcript(match, NAMES[: match.game.seats]))).history
    assert history is not None
    return history.restore(
        match.id, guild=match.guild, channel=match.channel, parent=match.parent, players=match.players
    )


def same(one: Match, other: Match) -> bool:
    return (
        MatchSnapshot.of(one) == MatchSnapshot.of(other)
        and (one.clock, one.outcome, one.players) == (other.clock, other.outcome, other.players)
        and one.position.picture() == other.position.picture()
    )


@given(key=st.sampled_from(PRESETS), seed=st.integers(0, 2**32), turns=st.integers(0, 90))
@examples(300)
def test_a_match_of_any_preset_is_read_back_as_it_was_written(key: str, seed: int, turns: int) -> None:
    chance = random.Random(seed)
    match = walk(random_match(key, chance), chance, turns)
    assert same(again(match), match)


def dots_of(key: str) -> Dots:
    game = GAMES[key]
    assert isinstance(game, Dots)
    return game


def played_on(match: Match, number: int) -> Match:
    """Returns a match that begins after so many moves of another one."""
    game = play_on(match.game, match.seed, [move.text for move in match.moves[:number]], match.id)
    begun = MatchSnapshot(game, 0, match.clock.control, match.started, (), match.agreement)
    return begun.restore(
        MatchId(6), guild=match.guild, channel=match.channel, parent=match.parent, players=match.players
    )


@given(key=st.sampled_from(PRESETS), seed=st.integers(0, 2**32), turns=st.integers(0, 60))
@examples(200)
def test_a_match_that_was_played_on_from_another_is_read_back_whole(key: str, seed: int, turns: int) -> None:
    chance = random.Random(seed)
    first = walk(random_match(key, chance), chance, turns)
    number = chance.randint(0, len(first.moves))
    begun = played_on(first, number)
    assume(begun.outcome is None and begun.position.outcome is None)
    match = walk(begun, chance, 20)
    assert same(again(match), match)
    text = written(match, *NAMES[: match.game.seats])
    assert f"C[Played on from move {number} of game 5.]" in text
    start, *_ = read(text.encode()).replay(dots_of(key))
    assert (start.picture(), start.score, start.to_act) == (
        begun.position.picture(),
        begun.position.score,
        begun.position.to_act,
    )


def test_other_programs_get_the_position_by_dots_that_are_set_up_in_their_order() -> None:
    first = played("E6", "D5", "E5", "A1", "D6", "A2", "C5", "A3", "D4", game="zagram", size="9x9", start="empty")
    assert first.score == (1.0, 0.0)
    text = re.sub(r"KP(\[[^]]*\])+", "", written(played_on(first, 9)))
    assert "PL[B]" in text
    record = read(text.encode())
    start, *_ = record.replay(dots_of("zagram"))
    assert dict(zip(record.colours, start.score, strict=True)) == {"W": 1.0, "B": 0.0}
    assert {(each.point, record.colours[each.seat], each.captured) for each in start.picture().stones} == {
        (each.point, "WB"[each.seat], each.captured) for each in first.position.picture().stones
    }


@given(seed=st.integers(0, 2**32))
@examples(30)
def test_options_that_sgf_has_no_word_for_are_read_back(seed: int) -> None:
    chance = random.Random(seed)
    options = {
        "size": "9x8",
        "start": chance.choice(("random", "double", "empty")),
        "scoring": chance.choice(("dots", "everything")),
        "extra-move": chance.choice(("on", "off")),
        "win": chance.choice(("none", "3 captured", "4 ahead")),
        "ending": "ground",
    }
    match = random_match("classic", chance)
    game = make_game("classic", options).resolve_chance(match.seed)
    match = walk(replace(match, game=game, position=game.start(match.seed)), chance, 60)
    assert same(again(match), match)


@pytest.mark.parametrize("path", recorded_games(), ids=lambda path: path.stem)
def test_a_recorded_game_stays_the_same_when_it_is_written_and_read_again(path: Path) -> None:
    record = read(path.read_bytes())
    assert read(write(record)) == record


@given(st.text(max_size=40))
def test_any_name_is_read_back_up_to_its_spaces(name: str) -> None:
    record = Record(5, 5, (), (), players=(name, "x"))
    shown = [letter for letter in name if letter.isprintable() and not letter.isspace()]
    assert [letter for letter in read(write(record)).players[0] if letter != " "] == shown


@pytest.mark.parametrize("name", [r"a]b\c:d", "Аня", "a b", "\\", "]", "[x", "日本"])
def test_names_are_escaped(name: str) -> None:
    assert read(write(Record(5, 5, (), (), players=(name, "")))).players == (name, "")


def test_the_first_player_who_is_red_is_white_as_on_zagram_and_playdots() -> None:
    match = played("A1", "B1")
    assert lines(match)[:2] == ["W[af]WL[3600]", "B[bf]BL[3600]"]
    record = read(write(transcript(match, ("Ann", "Bob"))))
    assert (record.players, record.black) == (("Ann", "Bob"), BLUE)


def test_a_record_from_when_red_was_black_is_read_back_whole() -> None:
    data = b"""(;FF[4]GM[40]CA[UTF-8]SZ[7:6]PB[Ann]PW[Bob]RE[W+R]AP[Kropka]TM[3600]OT[0]KP[kropka 1][rules zagram]
[size 7x6][seats 2][start stones][crosses 1][closing automatic][chain area][links near][reuse one][scoring dots]
[ending full][landing off][extra-move off][win none][handicap 0][komi 0][seed 5][clock 1h+0s][started 1750000000000]
;B[af]BL[3600]KP[60000]
;W[bf]WL[3600]KP[60000]
;KP[60000 0 resign])
"""
    record = read(data)
    assert (record.players, record.colours, record.result) == (("Ann", "Bob"), "BW", "W+R")
    assert record.match is not None
    assert [move.text for move in record.match.moves] == ["A1", "B1"]
    assert record.match.outcome == record.outcome == Outcome((BLUE,), "resign")
    assert read(write(record)) == record


def test_the_clock_is_written_behind_each_move() -> None:
    assert lines(played("A1", "B1", control="10m+30s")) == ["W[af]WL[570]", "B[bf]BL[570]"]


def test_a_chain_stands_behind_the_dot_that_closed_it_and_repeats_its_first_dot() -> None:
    match = played("C3", "C4", "B4", "A1", "D4", "B1", "C5")
    assert lines(match)[-1] == "W[cb.cbbccddccb]WL[3600]"


def test_a_house_capture_stands_with_its_owners_next_move() -> None:
    match = played("C3", "A1", "B4", "B1", "D4", "C1", "C5", "C4", "G6", "D1")
    assert [line.split("]")[0] for line in lines(match)[-3:]] == ["B[cc", "W[ga.cbbccddccb", "B[df"]


def test_the_set_up_is_written_by_colour() -> None:
    assert "AW[dd][cc]AB[cd][dc]" in written(played(start="cross"))


def test_a_set_up_keeps_its_order_in_nodes_of_their_own() -> None:
    record = read(b"(;GM[40]SZ[5]AB[aa]AW[ba]AB[ca][da]AW[ea];B[ab])")
    assert b"AB[aa]AW[ba]\n;AB[ca][da]AW[ea]\n;B[ab]" in write(record)
    assert read(write(record)) == record


def test_the_header_tells_what_sgf_has_words_for() -> None:
    text = written(played("A1", "B1", "time", control="10m+30s"), "Ann", "Bob").splitlines()[0]
    for part in ("FF[4]GM[40]CA[UTF-8]SZ[7:6]PW[Ann]PB[Bob]", "RE[B+T]", "AP[Kropka:2]", "TM[600]OT[30]", "MustSurr=1"):
        assert part in text


def test_a_square_field_has_one_size() -> None:
    assert "SZ[6]" in written(played(size="6"))


def test_days_per_move_are_free_time_with_an_empty_reserve() -> None:
    assert "TM[0]OT[0+259200]" in written(played(control="3d"))


def test_the_date_is_that_of_the_start() -> None:
    assert read(write(transcript(played(), ("", "")))).date == "2025-06-15"


@pytest.mark.parametrize(
    ("texts", "game", "result"),
    [
        (("A1", "B1", "resign"), "zagram", "B+R"),
        (("A1", "B1", "time"), "zagram", "B+T"),
        (("A1", "time"), "zagram", "Void"),
        (("A1", "B1"), "zagram", ""),
        (("A1", "C3", "stop"), "paper", "0"),
        (("C3", "A1", "stop"), "paper", "B+1"),
    ],
)
def test_a_result_is_written_as_zagram_writes_it(texts: tuple[str, ...], game: str, result: str) -> None:
    record = transcript(played(*texts, game=game), ("", ""))
    assert (record.result, read(write(record)).result) == (result, result)


def test_grounding_is_written_as_a_last_move_without_a_dot() -> None:
    match = played("A1", "C3", "stop", game="paper")
    assert lines(match)[-1] == "W[]C[W pressed STOP]"
    assert same(again(match), match)


FALLS = ("C4", "A1", "C3", "A2", "B2", "B1")
"""Two groups of red dots without a link to the edge on 7x6."""


@pytest.mark.parametrize(
    "texts", [("stop", "stop"), ("stop", "F5", "E5", "stop"), ("G5", "stop-waiting", "D5", "stop")]
)
def test_what_a_stop_that_is_played_out_has_lost_is_enclosed_in_a_last_node_for_others(texts: tuple[str, ...]) -> None:
    match = played(*FALLS, *texts, game="zagram-no-territory")
    record = read(write(transcript(match, ("Ann", "Bob"))))
    assert match.score == (0, 3)
    assert {dot.seat for dot in record.fallen} == {BLUE}
    assert any("C[W pressed STOP]" in line for line in lines(match))
    assert same(again(match), match)
    as_others_see_it = re.sub(rb"KP(\[[^]]*\])+", b"", write(transcript(match, ("Ann", "Bob"))))
    other = read(as_others_see_it)
    game = GAMES["zagram"]
    assert isinstance(game, Dots)
    *_, last = other.replay(game)
    assert (other.history, last.score, other.contradicts(last)) == (None, (0, 3), False)


@pytest.mark.sample(3)
@pytest.mark.parametrize("key", ["zagram", "zagram-no-territory", "classic", "sport", "quick"])
@given(seed=st.integers(0, 2**32))
@examples(200)
def test_a_program_that_knows_moves_alone_has_the_score_of_a_match_however_it_ended(key: str, seed: int) -> None:
    chance = random.Random(seed)
    match = walk(random_match(key, chance), chance, 120)
    text = written(match, "Ann", "Bob")
    if "pressed STOP" in text and "[fallen]" not in text:
        return  # it goes on, nothing was lost, or what was lost cannot be enclosed by dots
    assert isinstance(match.game, Dots)
    field = Field(match.game.width, match.game.height, by_length=match.game.measure is Measure.LENGTH)
    for name, values in re.findall(r"\b(A?[BW])((?:\[[^\]]*\])+)", text):
        for column, row in re.findall(r"\[([a-z])([a-z])", values):
            put = field.set_up if name.startswith("A") else field.place
            put("WB".index(name[-1]), ascii_letters.index(column), ascii_letters.index(row))
    assert field.scores == match.position.score


def test_a_stop_that_is_still_played_out_or_has_lost_nothing_has_no_last_node() -> None:
    for texts in ((*FALLS, "stop"), ("A1", "C3", "stop", "stop")):
        assert not transcript(played(*texts, game="zagram-no-territory"), ("", "")).fallen


def test_seat_0_is_white_even_if_it_stops_before_its_first_dot() -> None:
    match = played("stop", "A1", "B1", game="classic")
    assert [dot.seat for dot in read(write(transcript(match, ("", "")))).moves] == [BLUE, BLUE]
    assert same(again(match), match)


def test_more_players_than_sgf_has_colours_stand_in_the_private_property() -> None:
    match = walk(random_match("four", random.Random(3)), random.Random(3), 30)
    record = read(write(transcript(match, NAMES)))
    assert record.players == NAMES
    assert {dot.seat for dot in record.moves} == {0, 1, 2, 3}


def test_a_field_that_letters_cannot_name_is_refused() -> None:
    with pytest.raises(BadRecord) as refused:
        written(played(size="53x20"))
    assert (refused.value.key, refused.value.details) == ("too_large", {"largest": 52})


@pytest.mark.parametrize("key", sorted(NEEDS_CONSENT))
def test_a_game_that_is_not_dots_is_refused(key: str) -> None:
    match = replace(played(), game=GAMES[key])
    with pytest.raises(BadRecord) as refused:
        transcript(match, ("", ""))
    assert refused.value.key == "no_dots"


def test_a_full_game_on_the_largest_field_is_still_short_enough_to_be_read() -> None:
    chance = random.Random(4)
    game = make_game("zagram", {"size": "52x52", "start": "empty"})
    events, at = [], NOON
    points = [Point(x, y) for x in range(52) for y in range(52)]
    chance.shuffle(points)
    moves = []
    for number, point in enumerate(points):
        at = Millis(at + chance.randrange(10_000_000_000))
        events.append(Event(EventKind.MOVE, Seat(number % 2), point_name(point), at, None))
        moves.append(Dot(Seat(number % 2), point, "", ((point,) * 4,), number / 7))
    match = played(size="52x52")
    history = replace(MatchSnapshot.of(match), game=game, events=tuple(events))
    data = write(Record(52, 52, (), tuple(moves), history=history))
    assert len(data) <= MAX_RECORD_BYTES
    assert len(read(data).moves) == len(moves)


def test_a_record_that_cannot_be_made_short_enough_is_refused() -> None:
    chain = tuple(Point(x, 0) for x in range(50))
    with pytest.raises(BadRecord) as refused:
        write(Record(52, 52, (), (Dot(RED, Point(0, 0), "", (chain,) * 700),)))
    assert refused.value.key == "too_long"


def test_a_record_that_somebody_played_on_has_no_history() -> None:
    data = write(transcript(played("A1", "B1"), ("", "")))
    record = read(data.replace(b")\n", b";W[aa])"))
    assert (record.history, len(record.moves)) == (None, 3)


def test_a_changed_record_in_which_black_comes_first_is_read_as_any_other() -> None:
    data = write(transcript(played("A1", "B1"), ("", "")))
    record = read(data.replace(b";W[", b";B[bb];W[", 1))
    assert (record.history, record.colours) == (None, "BW")
    assert read(write(record)).moves == record.moves


def test_players_are_no_ids() -> None:
    assert not any(str(user) in written(played("A1")) for user in USERS)


def test_extra_dots_and_komi_are_written_and_read_back() -> None:
    """SGF counts komi for White, who is the first player."""
    rules = GAMES["zagram"].with_options({"size": "15x15", "handicap": "2", "komi": "4.5"})
    match = replace(played(), game=rules, position=rules.start(5))
    assert "HA[2]" in written(match)
    assert "KM[4.5]" in written(match)
    assert same(again(match), match)
