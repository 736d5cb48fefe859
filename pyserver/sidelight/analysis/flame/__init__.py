"""Flame graphs of device time, by source lines and by modules."""
