"""Discord, words and wiring: what people type and click becomes a use case, and its answer a message."""
