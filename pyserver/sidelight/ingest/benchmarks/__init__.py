"""Readers of benchmarks' reports: figures of a whole run, without a single event."""
