"""How the agent gets into the user's interpreter without a trace.

The script is started exactly as by hand (``python script.py ARGS``), with this directory first on
``PYTHONPATH``. Python's own start-up imports ``sitecustomize`` from it before the script; this file
undoes the detour (environment, ``sys.path``, and the real ``sitecustomize``, if there is one) and
starts the agent. The script's frames, arguments, flags and module are then Python's own work.

Any Python may meet this file, so its syntax is the oldest that will do.
"""

import importlib
import json
import os
import sys
import types
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
_REQUEST_VARIABLE = "SIDELIGHT_CAPTURE"
_OLDEST_PYTHON = (3, 9)


def _restore_environment(request: "dict[str, Any]") -> None:
    if request["python_path"] is None:
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = request["python_path"]
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _HERE]
    sys.path_importer_cache.pop(_HERE, None)


def _refuse_old_python(request: "dict[str, Any]") -> None:
    """Say that this Python is too old, and end before the script starts."""
    message = "{} is Python {}.{}; profiling needs {}.{} or newer".format(
        sys.executable, *sys.version_info[:2], *_OLDEST_PYTHON
    )
    with open(os.path.join(request["directory"], "failure.json"), "w") as failure:
        json.dump({"code": "python_too_old", "message": message}, failure)
    os._exit(1)


def _start_agent(request: "dict[str, Any]") -> None:
    room = os.path.dirname(os.path.dirname(_HERE))
    package = types.ModuleType("_sidelight")
    package.__path__ = [room]
    sys.modules["_sidelight"] = package
    importlib.import_module("_sidelight.capture.agent").start(request)


def _run_real_sitecustomize() -> None:
    """Hand over to the interpreter's own ``sitecustomize``; if there is none, say so as usual."""
    sys.modules.pop("sitecustomize", None)
    importlib.import_module("sitecustomize")


_request_path = os.environ.pop(_REQUEST_VARIABLE, None)
if _request_path is not None:
    with open(_request_path) as _file:
        _request = json.load(_file)
    _restore_environment(_request)
    if sys.version_info < _OLDEST_PYTHON:
        _refuse_old_python(_request)
    _start_agent(_request)
_run_real_sitecustomize()
