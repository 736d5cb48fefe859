"""Sidelight: device time beside your PyTorch code."""

__version__ = "0.1.0"
