"""How strong people are: Glicko-2 for two players, a Bayesian ranking for three and four, each in pools."""
