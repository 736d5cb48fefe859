"""The tensors of the program, as a device profile lists them among the parts of its NEFF."""

from __future__ import annotations

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.neuron_json.cores import Facts
from sidelight.ingest.neuron_json.values import LONGEST_TEXT, whole_number
from sidelight.ingest.tensors import shape_text, tensor_use

PROGRAM_LIST = "neff_node"


def add_tensors(facts: Facts, builder: ProfileBuilder) -> None:
    """Add the tensors that have a name; other rows of the list are the program's nodes.

    Args:
        facts: The short lists.
        builder: Where they go.
    """
    rows = [row for row in facts.get(PROGRAM_LIST, ()) if row.get("variable_name")]
    texts = {
        "name": [str(row["variable_name"]) for row in rows],
        "use": [tensor_use(str(row.get("type") or "")) for row in rows],
        "shape": [shape_text(str(row.get("shape") or "")) for row in rows],
        "layout": [str(row.get("format") or "") for row in rows],
    }
    builder.add_tensors(
        {
            **{
                column: [builder.text(each[:LONGEST_TEXT]) for each in own]
                for column, own in texts.items()
            },
            "size_bytes": [_size_bytes(row.get("size")) for row in rows],
        }
    )


def _size_bytes(value: object) -> int:
    size_bytes = whole_number(value)
    return size_bytes if size_bytes is not None and size_bytes >= 0 else -1
