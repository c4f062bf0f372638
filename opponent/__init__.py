"""The computer player: it chooses moves, in processes of its own, and knows the rules but no people."""
