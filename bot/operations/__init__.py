"""What an operator sees and does: settings looked after, logs, measures, copies, the try-out."""
