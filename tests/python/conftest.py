"""What all tests need."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# A shell starts background jobs with Ctrl-C ignored, and programs inherit that: the tests that
# interrupt programs would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What is tried is the same in every run, so that a change is refused for its own faults alone.
# `make fuzz` looks for new ones.
settings.register_profile("every_run", derandomize=True)
if "SIDELIGHT_FUZZ_FACTOR" not in os.environ:
    settings.load_profile("every_run")
