"""First contact: the card that greets a server, and that answers players who do not know what to say."""
