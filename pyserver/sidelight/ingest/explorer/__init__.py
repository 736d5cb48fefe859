"""Reads the Parquet tables of Neuron Explorer, without its program."""
