"""Generators of test traces."""
