"""Write down all that a script can see of itself. Usage: observe.py REPORT [ARGUMENTS...]"""

import __main__
import atexit
import inspect
import json
import logging
import os
import signal
import sys
import threading
import traceback
import warnings

# Before torch is loaded, a script may still set the variables that torch reads as it loads.
early_modules = sorted(name for name in sys.modules if name.split(".")[0] in ("torch", "numpy"))

report = {
    "argv": sys.argv[2:],
    "argv0": sys.argv[0],
    "path": sys.path,
    "name": __name__,
    "file": __file__,
    "spec": __spec__ and [__spec__.name, __spec__.origin, __spec__.parent],
    "package": __package__,
    "loader": [type(__loader__).__name__, getattr(__loader__, "name", None)],
    "cached": globals().get("__cached__"),
    "doc": __doc__,
    "builtins": type(__builtins__).__name__,
    "globals": sorted(name for name in globals() if name.startswith("__")),
    "is_main": sys.modules["__main__"] is __main__ and __main__.__dict__ is globals(),
    "main_repr": repr(__main__),
    "cwd": os.getcwd(),
    "stdin": sys.stdin.read(),
    "environment": dict(os.environ),
    "executable": sys.executable,
    "prefix": sys.prefix,
    "flags": list(sys.flags),
    "warnoptions": sys.warnoptions,
    "xoptions": sys._xoptions,
    "pycache_prefix": sys.pycache_prefix,
    "recursion_limit": sys.getrecursionlimit(),
    "switch_interval": sys.getswitchinterval(),
    "hooks": [
        sys.excepthook is sys.__excepthook__,
        sys.unraisablehook is sys.__unraisablehook__,
        sys.displayhook is sys.__displayhook__,
        sys.breakpointhook is sys.__breakpointhook__,
        threading.excepthook is threading.__excepthook__,
    ],
    "streams": [
        [stream.name, stream.encoding, stream.errors, stream.isatty(), stream.fileno(),
         stream.line_buffering, stream.write_through]
        for stream in (sys.stdin, sys.stdout, sys.stderr)
    ],
    "original_streams": [sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__],
    "signals": {
        name: repr(signal.getsignal(getattr(signal, name))).split(" at ")[0]
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGCHLD", "SIGUSR1")
    },
    "blocked_signals": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "umask": os.umask(0o022),
    "threads": [[thread.name, thread.daemon] for thread in threading.enumerate()],
    "log_handlers": [repr(handler) for handler in logging.getLogger().handlers],
    "warning_filters": [repr(filter) for filter in warnings.filters],
    "early_modules": early_modules,
    "stack": traceback.format_stack(),
    "stack_depth": len(inspect.stack()),
    "outermost_frame": sys._getframe().f_back is None,
}

print("to stdout")
print("to stderr", file=sys.stderr)


def deep():
    warnings.warn("one up from a function", stacklevel=1)
    warnings.warn("two up from a function", stacklevel=2)
    warnings.warn("three up from a function", stacklevel=3)


warnings.simplefilter("always")
for level in (1, 2, 3):
    warnings.warn(f"from module level {level}", stacklevel=level)
deep()

import torch  # noqa: E402


def scaled(x: torch.Tensor) -> torch.Tensor:
    """Its source must be found."""
    return x * 2


def walk(depth):
    return traceback.format_stack() if depth == 0 else walk(depth - 1)


class Hooked(torch.nn.Module):
    def forward(self, x):
        self.stack = traceback.format_stack()
        return scaled(x)


module = Hooked()
module(torch.ones(3)).sum()

report["source"] = inspect.getsource(scaled)
report["class_source"] = inspect.getsource(Hooked)
report["module_source_lines"] = len(inspect.getsource(sys.modules[__name__]).splitlines())
report["scripted"] = torch.jit.script(scaled).code
report["walked_stack"] = walk(2)
report["module_stack"] = module.stack
report["grad_mode"] = [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]
report["torch_threads"] = torch.get_num_threads()
report["late_threads"] = [thread.name for thread in threading.enumerate()]
torch.manual_seed(3)
report["random"] = torch.rand(2).tolist()

os.chdir("/")
report["late_cwd"] = os.getcwd()


@atexit.register
def at_exit():
    """Exit functions run last in, first out, with streams open, and after the report."""
    print("at exit", threading.current_thread().name, len(traceback.extract_stack()))
    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        json.dump(report, stream)
