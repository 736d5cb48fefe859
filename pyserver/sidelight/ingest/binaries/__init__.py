"""Readers of binary formats: compiled programs, their captures, and Perfetto's traces."""
