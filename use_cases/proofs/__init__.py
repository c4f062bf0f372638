"""Proofs that positions are exercises, with the trees of all that is right in them and of what refutes the rest."""
