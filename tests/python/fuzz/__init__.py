"""Inputs of every format, damaged at random: docs/data-quality.md says what comes of them."""
