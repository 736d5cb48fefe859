"""Whose a Python function is, from its path alone."""

from __future__ import annotations

import pytest

from sidelight.ingest.user_code import FunctionPlace, function_place, is_user_code


@pytest.mark.parametrize(
    "path",
    [
        "train.py",
        "./train.py",
        "/home/me/project/train.py",
        "project/models/mlp.py",
        "/home/me/torch/train.py",
        "C:\\work\\train.py",
        "torchtrain/train.py",
    ],
)
def test_user_code(path: str) -> None:
    assert is_user_code(path)


@pytest.mark.parametrize(
    "path",
    [
        "torch/nn/modules/module.py",
        "torch_neuronx/profiling.py",
        "threading.py",
        "concurrent/futures/thread.py",
        "<string>",
        "<frozen importlib._bootstrap>",
        "/tmp/x/<eval_with_key>.1",
        "/opt/venv/lib/python3.11/site-packages/transformers/trainer.py",
        "/usr/lib/python3/dist-packages/apt/cache.py",
        "/usr/lib/python3.11/contextlib.py",
        "C:\\Python312\\Lib\\contextlib.py",
        "C:\\venv\\Lib\\site-packages\\numpy\\core.py",
    ],
)
def test_code_of_others(path: str) -> None:
    assert not is_user_code(path)


def test_places() -> None:
    assert function_place("a (b)/x.py(12): f") == FunctionPlace("a (b)/x.py", 12, "f")
    assert function_place("x.py(3): <lambda>") == FunctionPlace("x.py", 3, "<lambda>")
    assert function_place("<built-in method relu of type object at 0x7f>") is None
    assert function_place("nn.Module: Linear_0") is None
    assert function_place("<string>(0): <module>") is None
    assert function_place("x.py(99999999999): f") is None
