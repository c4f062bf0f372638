"""What stands in a channel: the turn message with its board, in pictures, words and letters."""
