"""Writes device profiles as Neuron's older profiler does: JSON objects of lists, in any order.

The shape is that of profiler 2.28. Nothing here is shared with what reads such files.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def instruction(start_ns: int, duration_ns: int, **fields: Any) -> Row:
    """A row of ``instruction``, with all the fields that the profiler writes."""
    return {
        "timestamp": start_ns,
        "duration": duration_ns,
        "subgraph": "sg00",
        "subgroup": "Vector",
        "label": fields.get("subgroup", "Vector"),
        "opcode": "TENSOR_TENSOR",
        "operands": " src=fp32@0x100 dst=fp32@0x200 ",
        "instruction_type": "",
        "evt_wait_time": 29860,
        "id": 6600704491848368176,
        "pc": 50,
        "crc_in": 65535,
        "crc_out": 65535,
        "bir_id": "",
        "raw_bir_id": 0,
        "penguin_id": "",
        "raw_penguin_id": 0,
        "hlo_name": "",
        "hlo_attrs": "",
        "layer": "",
        "activation_fn": "",
        "bir_instruction_name": "",
        "fully_qualified_subgraph": "/" + fields.get("subgraph", "sg00"),
        **fields,
    }


def matmul(start_ns: int, duration_ns: int, elements: int, **fields: Any) -> Row:
    """A matrix product of the Tensor Engine."""
    return instruction(
        start_ns,
        duration_ns,
        **{
            "subgroup": "Tensor",
            "label": "TensorMatrix",
            "opcode": "MATMUL",
            "instruction_type": "REGULAR",
            "elements": elements,
            **fields,
        },
    )


def transfer(start_ns: int, duration_ns: int, **fields: Any) -> Row:
    """A row of ``dma``."""
    return {
        "timestamp": start_ns,
        "duration": duration_ns,
        "subgraph": "sg00",
        "subgroup": "Q0-E64",
        "dma_queue": "0",
        "dma_engine": "64",
        "queue_type": "software_dynamic",
        "transfer_size": 4096,
        "read_size": 4096,
        "write_size": 4096,
        "transfer_rate": 26177542000,
        "variable": "unknown",
        "source": [["unknown"]],
        "dest": ["unknown"],
        "op": "",
        "is_cc_dma": "no",
        "aggregated": "no",
        "duplicate": "no",
        "semaphore_id": "-1",
        "packet_idx": 0,
        "packet_aggregation_id": 3161790117270724135,
        "id": 7721563946493336791,
        "crc": 41589,
        **fields,
    }


def device_profile(
    instructions: Sequence[Row], transfers: Sequence[Row] = (), **lists: Sequence[Row] | None
) -> dict[str, Any]:
    """A device profile of a logical core of two physical ones.

    Args:
        instructions: Its ``instruction`` list.
        transfers: Its ``dma`` list.
        lists: Other lists, which replace what it would have; None leaves one out.
    """
    document: dict[str, Any] = {
        "semaphore_update": [{"id": "2", "subgraph": "sg00", "timestamp": 3030, "value": 1}],
        "metadata": [
            {
                "first_hw_timestamp": 0,
                "last_hw_timestamp": 100_000,
                "first_ts": "1970-01-01T00:00:00Z",
                "last_ts": "1970-01-01T00:00:00.0001Z",
                "num_physical_cores": 2,
                "num_subgraphs": 2,
                "pe_num_rows": 128,
                "pe_num_cols": 128,
                "pe_clock_freq": 2.4,
                "hbm_ddr_bandwidth": 716000000000,
                "ntff_version": 6,
            }
        ],
        "neff_header": [{"number_of_neuroncores_per_lnc": "2", "uuid": "0123abcd"}],
        "model_info": [
            {"sg_name": "sg00", "nc_idx": 4, "nd_idx": 0},
            {"sg_name": "sg01", "nc_idx": 5, "nd_idx": 0},
        ],
        "dma_queues_info": [{"q_name": "qSyncDynamicHW", "q_idx": 0, "subgraph": "sg00"}],
        "summary": [{"total_time": 1.000005e-4, "instance_type": "trn2.3xlarge"}],
        "instruction": list(instructions),
        "dma": list(transfers),
        "terminology": [{"total_time": "Hardware start to end."}],
        **lists,
    }
    return {name: rows for name, rows in document.items() if rows is not None}


def write_json(path: Path, document: Mapping[str, Any], *, seed: int | None = None) -> Path:
    """Write a document, its members in their order, or in any; gzipped where the name says so."""
    names = list(document)
    if seed is not None:
        random.Random(seed).shuffle(names)
    contents = json.dumps({name: document[name] for name in names}).encode()
    path.write_bytes(gzip.compress(contents) if path.suffix == ".gz" else contents)
    return path
