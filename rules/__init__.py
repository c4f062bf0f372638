"""What is legal: pure values, standard library only; no input or output, no clock, no people."""
