"""Telegram's Bot API as a chat platform: an adapter of the port in chat/."""
