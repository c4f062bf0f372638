"""Random numbers for compiled code: xorshift64*. Equal seeds give equal choices on every machine."""

import numpy as np
import numpy.typing as npt

from opponent.dots.compiled import compiled

Rng = npt.NDArray[np.uint64]
"""One number: the state of the generator."""

_A, _B, _C = np.uint64(12), np.uint64(25), np.uint64(27)
_STAR, _HALF = np.uint64(0x2545F4914F6CDD1D), np.uint64(32)
_MIX = 0x9E3779B97F4A7C15


def seeded_rng(seed: int) -> Rng:
    """Returns a generator for that seed, of any size and sign."""
    state = (seed * 2 + 1) * _MIX % 2**64
    return np.array([state or 1], np.uint64)


@compiled("int64(uint64[::1], int64)")
def below(rng: Rng, most: int) -> int:
    """Returns a whole number from 0 to `most` - 1; `most` is less than 2**31."""
    state = rng[0]
    state ^= state >> _A
    state ^= state << _B
    state ^= state >> _C
    rng[0] = state
    return int(((state * _STAR) >> _HALF) * np.uint64(most) >> _HALF)
