"""The policy network (opponent/dots/policy.py), fitted to the lessons of deep searches.

    python -m tools.model_games FOLDER FIRST COUNT    makes the lessons
    python -m tools.policy_model FOLDER FILE          fits a network and writes it to FILE

FILE is opponent/dots/policy_weights.py. It takes a quarter of an hour on two cores. The network also learns who has
lost a dot on each crossing in the end, because what it finds for this helps it with the next dot. The program does not
use that part.
"""

from __future__ import annotations

import sys
from base64 import b85encode
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from opponent.dots.policy_planes import CROSSING, MINE, PLANES, PRIOR, PRIOR_UNIT, THEIR_BASE
from tools.model_games import DEEP, EVERY, QUICK, read
from tools.policy_lessons import SIDE, UNIT, Array, Lessons, positions
from tools.program import commit, say

CHANNELS = 16
DILATIONS = (1, 2, 4, 2, 1)

HELD_OUT = 20
"""Every HELD_OUTth game is held out."""

PASSES, BATCH, RATE, DECAY = 5, 64, 4e-3, 1e-4
"""Of the fit: passes over all lessons, lessons a step, the highest rate of AdamW, and its decay of weights."""

OWNERS_COUNT = 3.0
"""The part of the owners in what is made small, against that of the choice."""

ROW = 110
"""Characters a line of the file."""

MODULE = '''"""The weights of the policy network (policy.py).

Written by `python -m tools.policy_model` (docs/computer-lab.md):

{told}
"""

from __future__ import annotations

CHANNELS = {channels}

DILATIONS = {dilations}
"""The distance of the crossings that each layer after the first reads."""

CODED = (
{rows})
"""Numbers of 16 bits in the order of policy.WEIGHTS, in base 85."""
'''

Weights = dict[str, Any]


def main() -> None:
    folder, file = map(Path, sys.argv[1:])
    taught = [game for game in read(folder) if max(game.width, game.height) <= SIDE]
    lessons = positions(taught)
    held = lessons.games % HELD_OUT == 0
    learned, kept = np.flatnonzero(~held), np.flatnonzero(held)
    fresh = _fit(lessons, learned)
    facts = [
        f"{len(taught):,} games of the program against itself, {QUICK} playouts a move, with {len(lessons.games):,}"
        f" lessons of {DEEP} playouts, one in {EVERY} moves. Fitted to {len(learned):,} of them, at commit {commit()}.",
        f"Lessons held out, the linear model alone: {_judged(_weights(np.random.default_rng(0)), lessons, kept)}.",
        f"Lessons held out, the network: {_judged(fresh, lessons, kept)}.",
    ]
    file.write_text(_module(facts, fresh), encoding="utf-8")
    say("\n".join(facts))


def _weights(rng: np.random.Generator) -> Weights:
    """Returns the weights of a network that has learned nothing: it says what the linear model says."""

    def normal(*sides: int) -> jax.Array:
        return jnp.array(rng.normal(0, np.sqrt(2 / np.prod(sides[:-1])), sides), jnp.float32)

    return {
        "taps": [normal(3, 3, PLANES, CHANNELS), *(0.7 * normal(3, 3, CHANNELS, CHANNELS) for _ in DILATIONS)],
        "biases": [jnp.zeros(CHANNELS) for _ in range(1 + len(DILATIONS))],
        "factors": jnp.zeros(CHANNELS),
        "prior": jnp.ones(()),
        "owners": jnp.zeros((CHANNELS, 3)),
        "owner_biases": jnp.zeros(3),
    }


def _convolve(planes: jax.Array, taps: jax.Array, dilation: int) -> jax.Array:
    margins = [(dilation, dilation)] * 2
    return jax.lax.conv_general_dilated(
        planes, taps, (1, 1), margins, rhs_dilation=(dilation, dilation), dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def _network(weights: Weights, planes: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the logits of the next dot, and of each crossing's owner."""
    on, taps, biases = planes[..., CROSSING, None], weights["taps"], weights["biases"]
    channels = jax.nn.relu(_convolve(planes, taps[0], 1) + biases[0]) * on
    for each, bias, dilation in zip(taps[1:], biases[1:], DILATIONS, strict=True):
        channels += jax.nn.relu(_convolve(channels, each, dilation) + bias) * on
    choice = channels @ weights["factors"] + weights["prior"] * planes[..., PRIOR] * PRIOR_UNIT
    return choice, channels @ weights["owners"] + weights["owner_biases"]


def _surprises(weights: Weights, lessons: Lessons) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns the surprise at each lesson's choice and at its owners, and the logits of its dots."""
    planes = jnp.moveaxis(lessons.planes.astype(jnp.float32) / UNIT, 1, -1)
    choice, owners = _network(weights, planes)
    free = (planes[..., CROSSING] > 0) & (planes[..., MINE : THEIR_BASE + 1].sum(-1) == 0)
    logits = jnp.where(free, choice, -1e9).reshape(len(planes), -1)
    shares = lessons.shares.reshape(len(planes), -1).astype(jnp.float32)
    chosen = -jnp.where(shares > 0, shares * jax.nn.log_softmax(logits), 0).sum(1)
    known = jax.nn.one_hot(lessons.owners + 1, 3) * jax.nn.log_softmax(owners)
    on = planes[..., CROSSING]
    return chosen, -(known.sum(-1) * on).sum((1, 2)) / on.sum((1, 2)), logits


_judge = jax.jit(_surprises)


def _loss(weights: Weights, lessons: Lessons) -> jax.Array:
    chosen, owners, _ = _surprises(weights, lessons)
    return chosen.mean() + OWNERS_COUNT * owners.mean()


def _fit(lessons: Lessons, learned: Array) -> Weights:
    rng = np.random.default_rng(0)
    weights = _weights(rng)
    steps = PASSES * (len(learned) // BATCH)
    descent = optax.adamw(optax.cosine_onecycle_schedule(steps, RATE, pct_start=0.1), weight_decay=DECAY)

    @partial(jax.jit, donate_argnums=(0, 1))
    def step(weights: Weights, state: optax.OptState, batch: Lessons) -> tuple[Weights, optax.OptState]:
        updates, state = descent.update(jax.grad(_loss)(weights, batch), state, weights)
        return optax.apply_updates(weights, updates), state

    state = descent.init(weights)
    for _ in range(PASSES):
        order = rng.permutation(learned)
        for first in range(0, len(order) - BATCH + 1, BATCH):
            batch = lessons.part(order[first : first + BATCH])
            batch = batch.turned(int(rng.integers(4)), mirrored=bool(rng.integers(2)))
            weights, state = step(weights, state, batch)
    return weights


def _judged(weights: Weights, lessons: Lessons, places: Array) -> str:
    surprises, ranks = [], []
    for start in range(0, len(places), BATCH):
        part = lessons.part(places[start : start + BATCH])
        chosen, _, logits = (np.asarray(each) for each in _judge(weights, part))
        best = part.shares.reshape(len(logits), -1).argmax(1)
        surprises.append(chosen)
        ranks.append((logits > logits[np.arange(len(logits)), best][:, None]).sum(1))
    surprise, rank = np.concatenate(surprises), np.concatenate(ranks)
    first, five = np.mean(rank < 1), np.mean(rank < 5)
    return f"first in {first:.1%}, among the best five in {five:.1%}, surprise {surprise.mean():.3f}"


def _module(facts: list[str], weights: Weights) -> str:
    """Returns the text of opponent/dots/policy_weights.py."""
    parts = [
        np.asarray(part).ravel()
        for bias, taps in zip(weights["biases"], weights["taps"], strict=True)
        for part in (bias, taps.transpose(3, 2, 0, 1))
    ]
    numbers = np.concatenate([*parts, np.asarray(weights["factors"]), np.asarray(weights["prior"]).ravel()])
    coded = b85encode(numbers.astype("<f2").tobytes()).decode()
    rows = "".join(f'    "{coded[first : first + ROW]}"\n' for first in range(0, len(coded), ROW))
    told = "\n\n".join(fill(fact, 118) for fact in facts)
    return MODULE.format(told=told, channels=CHANNELS, dilations=DILATIONS, rows=rows)


if __name__ == "__main__":
    main()
