"""Challenges: the command, the card, the panel of terms and counter-offers."""
