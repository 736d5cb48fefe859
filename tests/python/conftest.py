"""What all tests need."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

# A shell starts background jobs with Ctrl-C ignored, and programs inherit that: the tests that
# interrupt programs would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What programs print is as they are started here, and not as a person likes it.
for variable in ("COLUMNS", "LINES", "TERM", "NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(variable, None)

# No test fails because the machine was busy.
settings.register_profile("any_input", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_input")

# What is tried is the same in every run, so that a change is refused for its own faults alone.
# `make fuzz` looks for new ones.
if "SIDELIGHT_FUZZ_FACTOR" not in os.environ:
    settings.register_profile("every_run", settings.get_profile("any_input"), derandomize=True)
    settings.load_profile("every_run")
    # Hypothesis would try the constants of our modules, too: of those that happen to be loaded.
    providers._get_local_constants = Constants  # pyright: ignore[reportPrivateUsage]
