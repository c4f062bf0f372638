"""Background work: outbox, deadlines, cards, news, roles, computer, tournaments."""
