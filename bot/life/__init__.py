"""The life of a match beside its moves: offers, ends, pauses, clocks, conditional moves, and what is told of them."""
