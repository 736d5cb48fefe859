"""The package ``torch_neuronx`` where there is none: what scripts import from it."""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import torch

from . import nki, profiling

NAME = "torch_neuronx"

_PROFILING = ("NeuronConfig", "NeuronProfiler", "ProfileMode")

_KERNELS = ("nki_op", "wrap_nki")

_COMPILER = ("set_model_name", "get_model_name", "get_rank")

_GRAPHS = ("get_dynamo_metrics", "reset_dynamo_metrics")

_CACHE = ("get_compiled_cache_keys", "clear_compiled_cache_keys")


def modules(functions: dict[str, Any]) -> dict[str, ModuleType]:
    """The package and its submodules, by their full names.

    Args:
        functions: The functions of ``torch.neuron``, which most of the package's are.
    """
    kernels = {name: getattr(nki, name) for name in _KERNELS}
    compiler = {name: functions[name] for name in (*_COMPILER, *_GRAPHS)}
    contents: dict[str, dict[str, Any]] = {
        "": {**functions, **kernels, "__version__": f"{torch.__version__}.sidelight"},
        ".profiling": {name: getattr(profiling, name) for name in _PROFILING},
        ".nki_hop": kernels,
        ".neuron_dynamo_backend": compiler,
        ".neuron_dynamo_backend.config": {name: functions[name] for name in _COMPILER},
        ".neuron_dynamo_backend.metrics": {name: functions[name] for name in _GRAPHS},
        ".neuron_dynamo_backend.compile": {name: functions[name] for name in _CACHE},
    }
    made = {NAME + path: _module(NAME + path, content) for path, content in contents.items()}
    for name, module in made.items():
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(made[parent], child, module)
    return made


def _module(name: str, content: dict[str, Any]) -> ModuleType:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None, is_package=True)
    module.__path__ = []
    module.__dict__.update(content)
    return module
