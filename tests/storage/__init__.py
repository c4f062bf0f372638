"""One suite for every database: the fixture `url` has the engine as its parameter."""
