"""Operators: what each asks of a NeuronCore, one family a file."""
