"""Discord and wiring: what people type and click becomes a use case, and its answer a message."""

__version__ = "0.2.0"
"""The version of Kropka, written here alone; pyproject.toml takes it from here."""
