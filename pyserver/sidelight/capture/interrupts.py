"""A Ctrl-C that arrives while the agent's code runs belongs into the script's."""

from __future__ import annotations

import _thread
import signal

_MOST_ATTEMPTS = 1000


class Interrupts:
    """Has a KeyboardInterrupt that was caught in here raised again outside.

    Raised from a callback it would show our frames, and end the tracing before Python 3.12.
    """

    def __init__(self) -> None:
        self._attempts = 0

    def hand_on(self) -> None:
        """Call for a KeyboardInterrupt just caught.

        A handler of the script's own is not run a second time, and after many attempts (a script
        may spend nearly all of its time in callbacks) there is no other way: then it is raised
        here after all.
        """
        self._attempts += 1
        default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if not default or self._attempts % _MOST_ATTEMPTS == 0:
            raise KeyboardInterrupt
        # From another thread, so that this one is out of here when it comes.
        _thread.start_new_thread(_thread.interrupt_main, ())
