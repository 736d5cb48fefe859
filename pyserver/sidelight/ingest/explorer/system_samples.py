"""Quantities over time of a system profile: the host's processors and memory, the devices' HBM."""

from __future__ import annotations

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import NO_TIME
from sidelight.ingest.explorer.tables import Tables
from sidelight.profile.manifest import Series

_PERCENT = 0.01
"""The host's tables count to 100, unlike the summaries of the same tool."""

_AVERAGE = "average"

_HBM_USES = (
    *("generic", "tensor_instructions", "scalar_instructions", "gpsimd_instructions", "io"),
    *("dram_spill", "weights", "profiler_buffers", "scalar_table", "vector_instructions"),
    *("sync_instructions", "shared_scratchpad", "tensors", "ucode_lib", "gpsimd_stdio"),
    *("collectives", "scratchpad", "dma_rings_runtime", "dma_rings_spill", "dma_rings_io"),
    *("dma_rings_collectives", "unknown"),
)


def add_system_samples(tables: Tables, builder: ProfileBuilder, instance: str | None) -> None:
    """Add what the tables of usage hold.

    Args:
        tables: The profile's tables.
        builder: Gets them.
        instance: The machine whose samples are wanted; None for all.
    """
    _add_cpu(tables, builder, instance)
    _add_memory(tables, builder, instance)
    _add_hbm(tables, builder, instance)


def _add_cpu(tables: Tables, builder: ProfileBuilder, instance: str | None) -> None:
    """The average of all processors where the profile has it, else each."""
    batch = tables.read("CpuUsage", ("timestamp", "util_percent", "cpu_id", "instance_id"))
    at_ns, value = batch.times("timestamp"), batch.numbers("util_percent") * _PERCENT
    owners, cpus = batch.texts("instance_id"), batch.texts("cpu_id")
    averaged = {owner for owner, cpu in zip(owners, cpus, strict=True) if cpu == _AVERAGE}
    keys = np.array(
        [
            f"{owner}\n{cpu}" if cpu == _AVERAGE or owner not in averaged else ""
            for owner, cpu in zip(owners, cpus, strict=True)
        ],
        np.str_,
    )
    for key in np.unique(keys).tolist():
        owner, _, cpu = key.partition("\n")
        if not key or instance not in (None, owner):
            continue
        name = "CPU" if cpu == _AVERAGE else f"CPU {cpu}"
        _add(builder, Series(name, "fraction", owner), keys == key, at_ns, value)


def _add_memory(tables: Tables, builder: ProfileBuilder, instance: str | None) -> None:
    batch = tables.read("HostMemUsage", ("timestamp", "used_bytes", "used_percent", "instance_id"))
    at_ns, used = batch.times("timestamp"), batch.numbers("used_bytes")
    owners = np.array(batch.texts("instance_id"), np.str_)
    for owner in np.unique(owners).tolist():
        if instance in (None, owner):
            _add(builder, Series("Host memory", "bytes", owner), owners == owner, at_ns, used)


def _add_hbm(tables: Tables, builder: ProfileBuilder, instance: str | None) -> None:
    uses = [f"{use}_bytes" for use in _HBM_USES]
    batch = tables.read(
        "SystemProfileHbmUsage",
        ("timestamp", "total_bytes", *uses, "device_idx", "hbm_idx", "instance_id"),
    )
    at_ns = batch.times("timestamp")
    device, stack = batch.integers("device_idx"), batch.integers("hbm_idx")
    owners = batch.texts("instance_id")
    labels = np.array(
        [
            f"{owner}\nNeuron device {one}, HBM {other}"
            for owner, one, other in zip(owners, device.tolist(), stack.tolist(), strict=True)
        ],
        np.str_,
    )
    for label in np.unique(labels).tolist():
        machine, _, owner = label.partition("\n")
        if instance not in (None, machine):
            continue
        rows = labels == label
        for column in ("total_bytes", *uses):
            value = batch.numbers(column)
            if column == "total_bytes" or bool(np.any(value[rows] > 0)):
                name = f"HBM, {column.removesuffix('_bytes').replace('_', ' ')}"
                _add(builder, Series(name, "bytes", owner), rows, at_ns, value)


def _add(
    builder: ProfileBuilder,
    series: Series,
    rows: np.ndarray[tuple[int], np.dtype[np.bool_]],
    at_ns: np.ndarray[tuple[int], np.dtype[np.int64]],
    value: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    known = rows & (at_ns != NO_TIME) & np.isfinite(value)
    if known.any():
        builder.add_samples(series, at_ns[known], value[known])
