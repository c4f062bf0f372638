"""Background work: outbox, deadlines, cards, news, greetings, roles, computer, tournaments."""
