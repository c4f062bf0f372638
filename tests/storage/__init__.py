"""One suite for every database: what differs is the parameter of the fixture `url` in tests/conftest.py."""
