"""Reads what Neuron's profilers write as JSON or as text: profiles of before Parquet, summaries."""
