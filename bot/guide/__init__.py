"""How the game is learnt: help, rules and lesson, with pictures."""
