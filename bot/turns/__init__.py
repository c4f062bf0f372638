"""The ways to enter a turn: keypad, form, reply and command, step by step."""
