"""The many ways a script can end. Usage: endings.py KIND"""

import atexit
import os
import signal
import sys
import threading

import torch

kind = sys.argv[1]
torch.ones(3) * 2
atexit.register(print, "first registered")
atexit.register(print, "last registered")
print("running", flush=True)


class Layer(torch.nn.Module):
    def forward(self, x):
        return inner(x)


def inner(x):
    raise ValueError("in a callee\nover two lines")


if kind == "status":
    sys.exit(3)
elif kind == "text":
    sys.exit("a message, not a status")
elif kind == "none":
    sys.exit(None)
elif kind == "wraps":
    sys.exit(256 + 5)
elif kind == "object":
    raise SystemExit({"not": "a number"})
elif kind == "exec":
    exec("import sys\nsys.exit(4)")
elif kind == "builtin":
    exit(6)
elif kind == "at_once":
    os._exit(5)
elif kind == "exception":
    Layer()(torch.ones(3))
elif kind == "chained":
    try:
        Layer()(torch.ones(3))
    except ValueError as error:
        raise RuntimeError(
            "over several lines"
        ) from error
elif kind == "interrupted":
    raise KeyboardInterrupt
elif kind == "signal_handler":
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(9))
    os.kill(os.getpid(), signal.SIGTERM)
elif kind == "excepthook":

    def hook(kind, value, trace):
        depth = 0
        while trace:
            depth, trace = depth + 1, trace.tb_next
        print("hook", kind.__name__, value, depth, file=sys.stderr)

    sys.excepthook = hook
    inner(None)
elif kind == "thread":
    thread = threading.Thread(target=inner, args=(None,), name="failing")
    thread.start()
    thread.join()
elif kind == "leftover_thread":
    release = threading.Event()

    def late():
        release.wait()
        print("late thread", (torch.ones(2) * 2).sum().item(), flush=True)

    threading.Thread(target=late).start()
    release.set()
elif kind == "in_atexit":
    atexit.register(inner, None)
elif kind == "syntax":
    import broken_syntax
elif kind == "recursion":

    def forever(depth):
        return forever(depth + 1)

    try:
        forever(0)
    except RecursionError:
        print("recursion caught")
    forever(0)
