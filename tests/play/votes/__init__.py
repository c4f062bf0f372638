"""Tests of play.votes."""
