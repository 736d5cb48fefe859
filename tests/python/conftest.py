"""What all tests need."""

from __future__ import annotations

import signal

# A shell starts background jobs with Ctrl-C ignored, and programs inherit that: the tests that
# interrupt programs would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
