"""The chain with the fewest dots, and that with the smallest area (docs/rules-reference.md, Which chain)."""

from __future__ import annotations

from rules.dots import Measure
from tests.rules.dots.diagram import Symmetry
from tests.rules.dots.positions import lay_out

DISPUTED = "..AAA.. .A...A. A.A.A.A A.A.A.A A..A..A .A.b.A. ..ACA.."


def test_in_the_disputed_position_the_shortest_chain_runs_over_the_top_and_swallows_the_pocket(
    symmetry: Symmetry,
) -> None:
    position = lay_out(DISPUTED, symmetry, measure=Measure.LENGTH)
    rows = ["..RRR..", ".R111R.", "R1R1R1R", "R1R1R1R", "R11R11R", ".R1b1R.", "..RRR.."]
    assert position.rows() == symmetry.rows(rows)
    assert len(position.picture().areas[0].ring) == 16


def test_in_the_disputed_position_the_chain_with_the_smallest_area_has_18_dots(symmetry: Symmetry) -> None:
    position = lay_out(DISPUTED, symmetry)
    assert len(position.picture().areas[0].ring) == 18


def test_of_chains_with_the_fewest_dots_the_one_with_the_smallest_area_counts(symmetry: Symmetry) -> None:
    position = lay_out(".AAA. AA.AA A.b.A AA.AA .ACA.", symmetry, measure=Measure.LENGTH)
    assert position.rows() == [".RRR.", "RR1RR", "R1b1R", "RR1RR", ".RRR."]
    assert len(position.picture().areas[0].ring) == 8
