"""Records of Dots in SGF: FF[4], GM[40], as zagram and others write them (docs/records.md)."""

from play.records.sgf.reader import read
from play.records.sgf.writer import write

__all__ = ["read", "write"]
