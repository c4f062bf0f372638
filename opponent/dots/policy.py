"""The policy network: the chance that a strong player chooses a dot, by the whole field.

A convolution of the planes (policy_planes.py), then one for each of DILATIONS that adds to what it gets (ResNet, 2015;
Yu and Koltun, 2016), then the sum of the channels and of the linear model's prior. The weights are those of
policy_weights.py, which tools/policy_model.py fits.
"""

from base64 import b85decode

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import HEIGHT, STRIDE, WIDTH, Field
from opponent.dots.compiled import compiled
from opponent.dots.policy_planes import LARGEST, PLANES, PRIOR, PRIOR_UNIT, Floats, Numbers, draw_planes, layout
from opponent.dots.policy_weights import CHANNELS, CODED, DILATIONS

TAPS = 9
"""Weights of a convolution from one channel to another: three rows of three."""

WEIGHTS: Floats = np.frombuffer(b85decode(CODED), "<f2").astype(np.float32)
"""The network's numbers: of each convolution a bias for each channel, then the taps by channel and channel read; then
the factor of each channel and that of the prior."""

REACHES = np.array(DILATIONS, np.int64)

Maps = npt.NDArray[np.float32]
"""Working space: MAPS rows of MAP_SIZE numbers. The first two hold the channels of two layers."""

LOGITS, ON = 2, 3
"""The others hold the network's answer by cell of the field, and a plane with a 1 for each crossing."""

MAPS, MAP_SIZE = 4, (CHANNELS + 1) * LARGEST.room


def clear_maps(maps: Maps, width: int, height: int) -> None:
    """Prepares the working space for fields of this size."""
    head, stride, _ = layout(width, height)
    maps[:] = 0
    for y in range(height):
        maps[ON, head + y * stride : head + y * stride + width] = 1


@compiled("void(float32[::1], float32[::1], int64, int64, int64, int64, int64, int64)")
def add_taps(source: Floats, to: Floats, first: int, begin: int, at: int, across: int, down: int, size: int) -> None:
    """Adds to the `size` places of `to` from `begin` on nine places of `source` round those from `first` on, each with
    its weight, of which the first is the `at`th."""
    w0, w1, w2 = WEIGHTS[at], WEIGHTS[at + 1], WEIGHTS[at + 2]
    w3, w4, w5 = WEIGHTS[at + 3], WEIGHTS[at + 4], WEIGHTS[at + 5]
    w6, w7, w8 = WEIGHTS[at + 6], WEIGHTS[at + 7], WEIGHTS[at + 8]
    below, above = first - down, first + down
    for place in range(size):  # one loop for all nine, so that compiled code reads and writes the sum once
        to[begin + place] += (
            w0 * source[below - across + place]
            + w1 * source[below + place]
            + w2 * source[below + across + place]
            + w3 * source[first - across + place]
            + w4 * source[first + place]
            + w5 * source[first + across + place]
            + w6 * source[above - across + place]
            + w7 * source[above + place]
            + w8 * source[above + across + place]
        )


@compiled("void(float32[::1], float32[::1], float32[::1], int64, int64, int64, int64, int64, int64, boolean)")
def convolve(
    source: Floats,
    to: Floats,
    on: Floats,
    at: int,
    inputs: int,
    reach: int,
    stride: int,
    size: int,
    head: int,
    adds: bool,
) -> None:
    """Writes the channels of a layer: what is positive of the convolution of `inputs` channels of `source`, and with
    `adds` the same channel of `source` beside. Its weights begin at `at`. `on` has a 1 for each crossing."""
    room = size + 2 * head
    sums, zero = CHANNELS * room, np.float32(0)
    for channel in range(CHANNELS):
        for place in range(size):
            to[sums + place] = WEIGHTS[at + channel]
        for read in range(inputs):
            taps = at + CHANNELS + (channel * inputs + read) * TAPS
            add_taps(source, to, read * room + head, sums, taps, reach, reach * stride, size)
        first = channel * room + head
        for place in range(size):
            to[first + place] = max(to[sums + place], zero) * on[head + place]
        if adds:
            for place in range(size):
                to[first + place] += source[first + place]


@compiled("void(int16[::1], int64, int64, int64, float32[:, ::1], int64[::1])")
def consult(field: Field, player: int, last: int, previous: int, maps: Maps, scratch: Numbers) -> None:
    """Asks the network which dot `player` would place after the dots `previous` and `last` (0: none). `maps[LOGITS]`
    gets the logarithm of each free crossing's chance, up to a constant."""
    width, height, across = int(field[WIDTH]), int(field[HEIGHT]), int(field[STRIDE])
    head, stride, room = layout(width, height)
    size = stride * height
    source, to, logits, on = maps[0], maps[1], maps[LOGITS], maps[ON]
    draw_planes(field, player, last, previous, source, scratch)
    factors = WEIGHTS.size - CHANNELS - 1
    for y in range(height):
        for x in range(width):
            prior = source[PRIOR * room + head + y * stride + x] * np.float32(PRIOR_UNIT)
            logits[(y + 1) * across + x + 1] = prior * WEIGHTS[factors + CHANNELS]
    convolve(source, to, on, 0, PLANES, 1, stride, size, head, False)
    at = CHANNELS * (1 + PLANES * TAPS)
    for layer in range(REACHES.size):
        source, to = to, source
        convolve(source, to, on, at, CHANNELS, int(REACHES[layer]), stride, size, head, True)
        at += CHANNELS * (1 + CHANNELS * TAPS)
    for channel in range(CHANNELS):
        factor, first = WEIGHTS[factors + channel], channel * room + head
        for y in range(height):
            for x in range(width):
                logits[(y + 1) * across + x + 1] += factor * to[first + y * stride + x]
