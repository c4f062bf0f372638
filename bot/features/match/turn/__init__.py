"""The ways to enter a turn: keypad, form, command and reply."""
