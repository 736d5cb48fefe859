"""What a program would hold on the device, against sums worked out by hand."""

from __future__ import annotations

from pathlib import Path

from sidelight.profile.manifest import DeviceMemory
from support.fake_runs import fake_run

FLOAT_BYTES = 4
FIRST, SECOND = 64 * 128, 128 * 32
"""Elements of the two weights of ``mlp_step.py``; the biases have 128 and 32."""

WEIGHTS_BYTES = (FIRST + 128 + SECOND + 32) * FLOAT_BYTES
STATES_BYTES = 2 * WEIGHTS_BYTES
STEP_COUNTERS_BYTES = 4 * FLOAT_BYTES
"""AdamW counts steps for each of four parameters, in a number that stays on the host."""


def held(tmp_path: Path, batch: int, device: str) -> DeviceMemory:
    return memory_of(tmp_path, "mlp_step.py", str(batch), device)


def memory_of(tmp_path: Path, *program: str) -> DeviceMemory:
    run = fake_run(tmp_path, *program)
    memory = run.profile.manifest.memory
    assert memory is not None
    parts = (
        memory.weights_bytes,
        memory.gradients_bytes,
        memory.optimizer_bytes,
        memory.activations_bytes,
    )
    assert sum(parts) == memory.peak_bytes
    return memory


def test_a_small_batch_peaks_in_the_optimizer(tmp_path: Path) -> None:
    """All gradients are there, and AdamW's step on the largest weight makes two tensors of it."""
    batch = 2
    memory = held(tmp_path, batch, "neuron")
    assert memory.weights_bytes == WEIGHTS_BYTES
    assert memory.gradients_bytes == WEIGHTS_BYTES
    assert memory.optimizer_bytes == STATES_BYTES
    inputs_and_target = batch * (64 + 32) * FLOAT_BYTES
    assert memory.activations_bytes == inputs_and_target + 2 * FIRST * FLOAT_BYTES


def test_a_large_batch_peaks_in_backward(tmp_path: Path) -> None:
    """At ReLU's backward, when the second layer has its gradients: ReLU's result, its gradient and
    the gradient that it gives; and two numbers, the loss and the 1 that backward starts from.
    """
    batch = 4096
    memory = held(tmp_path, batch, "neuron")
    assert memory.weights_bytes == WEIGHTS_BYTES
    assert memory.gradients_bytes == (SECOND + 32) * FLOAT_BYTES
    assert memory.optimizer_bytes == STATES_BYTES
    inputs_and_target = batch * (64 + 32) * FLOAT_BYTES
    hidden = 3 * batch * 128 * FLOAT_BYTES
    assert memory.activations_bytes == inputs_and_target + hidden + 2 * FLOAT_BYTES


def test_gradients_of_the_step_before_count_as_such_until_they_are_let_go_of(
    tmp_path: Path,
) -> None:
    """The peak is at ReLU's forward: what it was given, its result, and the last step's loss."""
    memory = memory_of(tmp_path, "late_zero_grad.py")
    assert memory.weights_bytes == WEIGHTS_BYTES
    assert memory.gradients_bytes == WEIGHTS_BYTES
    assert memory.optimizer_bytes == 0
    inputs_and_target = 32 * (64 + 32) * FLOAT_BYTES
    hidden = 2 * 32 * 128 * FLOAT_BYTES
    assert memory.activations_bytes == inputs_and_target + hidden + FLOAT_BYTES


def test_one_device_counts_all(tmp_path: Path) -> None:
    """Without an accelerator the host is the device, with what else the program keeps there."""
    memory = held(tmp_path, 2, "cpu")
    assert memory.optimizer_bytes == STATES_BYTES + STEP_COUNTERS_BYTES
    inputs_and_target = 2 * (64 + 32) * FLOAT_BYTES
    elsewhere_bytes = 1_000_000 * FLOAT_BYTES
    expected = inputs_and_target + elsewhere_bytes + 2 * FIRST * FLOAT_BYTES
    assert memory.activations_bytes == expected
