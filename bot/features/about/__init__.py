"""What the bot is, and feedback to the people who run it."""
