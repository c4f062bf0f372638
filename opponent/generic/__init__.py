"""The computer where no compiled field fits: search in plain Python through `rules.game.Position`."""
