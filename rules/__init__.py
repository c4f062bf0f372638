"""The rules of the games: pure values of the standard library, without input, output, clock or people."""
