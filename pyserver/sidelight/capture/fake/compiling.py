"""``torch.compile`` without a compiler: what is compiled runs as it is, between two marks.

Whether one graph or many operators would run decides what they cost, so that each call of what was
compiled is a row around the rows of its operators.
"""

from __future__ import annotations

import functools
import inspect
import threading
from typing import Any, Callable

import torch

from ..device.rows import COMPILED_REGION, close, row
from . import private

_KEPT = ("fullgraph", "dynamic", "disable")
"""What torch.compile is still told: the rest is about backends, which are not asked."""

_Compile = Callable[..., Any]


class _Thread(threading.local):
    """Whether a region is open on the thread: what is compiled within becomes part of it."""

    in_region = False


_thread = _Thread()


def install() -> None:
    """Run from now on what is compiled, in place of compiling it."""
    private.compiled.__call__ = _in_regions(private.compiled.__call__)
    module: Any = torch
    module.compile = _without_backends(module.compile)


def _without_backends(real: _Compile) -> _Compile:
    @functools.wraps(real)
    def compile_(model: Any = None, **options: Any) -> Any:
        kept = {name: options[name] for name in _KEPT if name in options}
        return real(model, backend="eager", **kept)

    return compile_


def _in_regions(real: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Dynamo's entry: a module or class comes back here with the functions it is made of."""

    @functools.wraps(real)
    def optimize(context: Any, subject: Any) -> Any:
        if isinstance(subject, torch.nn.Module) or inspect.isclass(subject):
            return real(context, subject)
        return _in_region(subject)

    return optimize


def _in_region(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if _thread.in_region:
            return function(*arguments, **keywords)
        region = row(COMPILED_REGION)
        region.__enter__()
        _thread.in_region = True
        try:
            return function(*arguments, **keywords)
        finally:
            _thread.in_region = False
            close(region)

    setattr(call, "_torchdynamo_orig_callable", function)  # noqa: B010
    return call
