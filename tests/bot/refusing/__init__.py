"""The bot where Discord refuses what it sends."""
