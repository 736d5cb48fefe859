"""Whether something failed because of us, or because torch keeps something elsewhere than we know.

What we use of torch that it does not promise to keep is named in modules called ``private``, and
beyond those it is torch's own code or a part of torch that stumbles.
"""

from __future__ import annotations

from types import FrameType

_PACKAGE = __name__.partition(".")[0]


def is_own_fault(error: Exception) -> bool:
    """Whether an error that is being handled is a fault of our own modules."""
    if isinstance(error, ImportError) and error.name is not None:
        return _is_ours(error.name)
    module = _module_that_raised(error)
    if not _is_ours(module) or module.endswith(".private"):
        return False
    if isinstance(error, AttributeError):
        return not _is_torchs(getattr(error, "obj", None))
    # Our own code raises none by mistake; torch's C++, which has no frame, raises little else.
    return type(error) is not RuntimeError


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == _PACKAGE


def _module_that_raised(error: Exception) -> str:
    frame: FrameType | None = None
    raised_in = error.__traceback__
    while raised_in is not None:
        frame = raised_in.tb_frame
        raised_in = raised_in.tb_next
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))


def _is_torchs(value: object) -> bool:
    """Whether a module, a class or an object is one of torch's, or derived from one."""
    owner = value if isinstance(value, type) else type(value)
    names = [getattr(value, "__name__", ""), *(each.__module__ for each in owner.__mro__)]
    return any(name.partition(".")[0] == "torch" for name in names)
