"""The slash commands: read the options, one use case, a private reply."""
