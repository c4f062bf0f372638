"""How boards and what goes with them reach their readers."""
