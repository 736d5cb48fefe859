"""The package that stands where torch-neuronx does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.neuron_package import compiler, install_package


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is installed; built once for all test processes of a run."""
    if compiler() is None:
        pytest.skip("the Kineto plug-in needs a C++ compiler")
    base = tmp_path_factory.getbasetemp()
    return install_package(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)
