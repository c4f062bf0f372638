"""Fits weights of features to choices: conditional logit, in which a chance grows as e to the sum of the weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PASSES, RATE, SLOWER, BATCH, SHRINK = 10, 0.1, 0.6, 32, 1e-3
"""Of the fit: passes over all choices, the first step, its factor with each pass, choices a step, and the pull towards
zero."""

Weights = NDArray[np.float64]


class Seen(NamedTuple):
    """A choice in numbers: the features (`kinds`) of all points in a row, the point of each, and the share that each
    point was chosen with."""

    kinds: NDArray[np.int32]
    points: NDArray[np.int32]
    shares: Weights


def seen(features: list[list[int]], shares: Weights) -> Seen:
    """Returns the choice between points with these features."""
    kinds = np.array([kind for each in features for kind in each], np.int32)
    points = np.repeat(np.arange(len(features), dtype=np.int32), [len(each) for each in features])
    return Seen(kinds, points, shares)


def fit(choices: Iterable[Seen], size: int, shrink: float = SHRINK) -> Weights:
    """Returns the weights under which the choices were likeliest, by Adam (https://arxiv.org/abs/1412.6980)."""
    given, rng = [*choices], np.random.default_rng(0)
    weights, mean, square = np.zeros(size), np.zeros(size), np.zeros(size)
    step = 0
    for number in range(PASSES):
        order = rng.permutation(len(given))
        for start in range(0, len(order), BATCH):
            slope = shrink * weights
            for one in order[start : start + BATCH]:
                slope += _slope(given[one], weights) / BATCH
            step += 1
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
            straight = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            weights = weights - RATE * SLOWER**number * straight
    return weights


def sums(one: Seen, weights: Weights) -> Weights:
    """Returns the sum of the weights of each point."""
    found: Weights = np.bincount(one.points, weights[one.kinds], len(one.shares)).astype(np.float64)
    return found


def chances(one: Seen, weights: Weights) -> Weights:
    """Returns the chance of each point."""
    found = sums(one, weights)
    odds: Weights = np.exp(found - found.max())
    odds /= odds.sum()
    return odds


def rank(one: Seen, weights: Weights) -> int:
    """Returns how many points have more weight than the one that was chosen most."""
    found = sums(one, weights)
    return int((found > found[one.shares.argmax()]).sum())


def _slope(one: Seen, weights: Weights) -> Weights:
    """Returns how the surprise at a choice changes with each weight."""
    over = chances(one, weights) - one.shares
    slope: Weights = np.bincount(one.kinds, over[one.points], len(weights)).astype(np.float64)
    return slope
