"""Ratings, in pools: Glicko-2 for two players, a Bayesian model for three and four."""
