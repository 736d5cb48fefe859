"""Reads traces that are damaged, or written otherwise than their format, and says what it did."""
