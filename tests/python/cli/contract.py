"""The documents that ``--json`` prints: their schema, and what must hold in every one."""

from __future__ import annotations

from typing import Any

import jsonschema

Json = dict[str, Any]

COUNT: Json = {"type": "integer", "minimum": 0}
MAYBE_COUNT: Json = {"type": ["integer", "null"], "minimum": 0}
TEXT: Json = {"type": "string"}
TIME_KIND: Json = {"enum": ["measured", "predicted", "mixed"]}
ATTRIBUTION: Json = {"enum": ["exact", "apportioned", "mixed"]}


def _object(required: Json, also: Json | None = None) -> Json:
    return {
        "type": "object",
        "properties": {**required, **(also or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


OPERATOR = _object({"name": TEXT, "self_ns": COUNT, "count": COUNT, "hbm_bytes": MAYBE_COUNT})

LINE = _object(
    {
        "file": {"type": "string", "minLength": 1},
        "line": {"type": "integer", "minimum": 1},
        "self_ns": COUNT,
        "total_ns": COUNT,
        "forward_ns": COUNT,
        "backward_ns": COUNT,
        "launched_ns": COUNT,
        "predicted_ns": MAYBE_COUNT,
        "count": COUNT,
        "host_ns": MAYBE_COUNT,
        "time_kind": TIME_KIND,
        "attribution": ATTRIBUTION,
        "engines": {"type": ["object", "null"], "additionalProperties": COUNT},
        "ops": _list(OPERATOR),
    },
    {"flops": MAYBE_COUNT, "hbm_bytes": MAYBE_COUNT},
)

PRICING = _object(
    {
        "chip": {"enum": ["trn1", "trn2", "trn3", "inf2"]},
        "lnc": {"enum": [1, 2]},
        "label": TEXT,
        "auto_cast": {"enum": ["all", "matmult", "none"]},
        "calibration": {"type": ["string", "null"]},
        "measured_on": {"type": ["string", "null"]},
        "hbm_bytes": COUNT,
        "errors": _list(
            _object(
                {
                    "operator": TEXT,
                    "kernels": COUNT,
                    "measured_ns": COUNT,
                    "median_ratio": {"type": "number", "minimum": 0},
                    "p90_error": {"type": "number", "minimum": 0},
                }
            )
        ),
        "parameters": _list(
            _object(
                {"name": TEXT, "value": {"type": "number"}, "unit": TEXT, "source": TEXT},
            )
        ),
    }
)

MEMORY = _object(
    dict.fromkeys(
        (
            "peak_bytes",
            "weights_bytes",
            "gradients_bytes",
            "optimizer_bytes",
            "activations_bytes",
        ),
        COUNT,
    )
)

QUALITY = _object(
    {
        "code": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
        "severity": {"enum": ["info", "warning", "error"]},
        "message": {"type": "string", "minLength": 1},
        "count": COUNT,
    }
)

SPREAD = _object({"least_ns": COUNT, "median_ns": COUNT, "most_ns": COUNT})
MAYBE_SPREAD: Json = {"anyOf": [SPREAD, {"type": "null"}]}

REPORT = _object(
    {
        "profile": {"type": "string", "pattern": "^/"},
        "name": {"type": "string", "minLength": 1},
        "format": TEXT,
        "target": TEXT,
        "device": TEXT,
        "script_exit": {"type": ["integer", "null"]},
        "stopped_by": {"enum": ["interrupt", "terminate", "captured", "killed", "disk_full", None]},
        "steps": COUNT,
        "warmup": COUNT,
        "events": COUNT,
        "device_time_ns": COUNT,
        "device_busy_ns": COUNT,
        "span_ns": COUNT,
        "attributed_ns": COUNT,
        "unattributed_ns": COUNT,
        "predicted_ns": MAYBE_COUNT,
        "time_kind": TIME_KIND,
        "attribution": ATTRIBUTION,
        "lines": _list(LINE),
        "quality": _list(QUALITY),
    },
    {
        "rank": MAYBE_COUNT,
        "world_size": MAYBE_COUNT,
        "recorded_ns": COUNT,
        "step_length": MAYBE_SPREAD,
        "step_device_time": MAYBE_SPREAD,
        "hbm_bytes": MAYBE_COUNT,
        "unattributed_ops": _list(OPERATOR),
        "pricing": {"anyOf": [PRICING, {"type": "null"}]},
        "memory": {"anyOf": [MEMORY, {"type": "null"}]},
    },
)

PROFILES = _object(
    {
        "profiles": _list(
            _object(
                {
                    "profile": {"type": "string", "pattern": "^/"},
                    "name": TEXT,
                    "created": {
                        "type": "string",
                        "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$",
                    },
                    "target": TEXT,
                    "device": TEXT,
                    "device_time_ns": COUNT,
                    "rank": MAYBE_COUNT,
                    "world_size": MAYBE_COUNT,
                    "bytes": {"type": "integer", "minimum": 1},
                }
            )
        )
    }
)

DIFFERENCE = _object(
    {"difference": {"type": "number"}, "ratio": {"type": ["number", "null"], "minimum": 0}}
)
MAYBE_DIFFERENCE: Json = {"anyOf": [DIFFERENCE, {"type": "null"}]}
COST = {"self_ns": COUNT, "launches": COUNT, "bytes": MAYBE_COUNT}
CHANGE = {"self_ns": DIFFERENCE, "launches": DIFFERENCE, "bytes": MAYBE_DIFFERENCE}
COST_COMPARISON = {"base": _object(COST), "new": _object(COST), "change": _object(CHANGE)}
OPERATOR_COMPARISON = _object({"name": TEXT, **COST_COMPARISON})
LINE_COST = _object(
    {
        **COST,
        "file": {"type": "string", "minLength": 1},
        "line": {"type": "integer", "minimum": 1},
        "total_ns": COUNT,
        "predicted_ns": MAYBE_COUNT,
        "time_kind": TIME_KIND,
        "attribution": ATTRIBUTION,
    }
)
MAYBE_LINE_COST: Json = {"anyOf": [LINE_COST, {"type": "null"}]}
LINE_COMPARISON = _object(
    {
        "match": {"enum": ["same", "changed", "added", "removed"]},
        "base": MAYBE_LINE_COST,
        "new": MAYBE_LINE_COST,
        "change": _object({**CHANGE, "total_ns": DIFFERENCE, "predicted_ns": MAYBE_DIFFERENCE}),
        "operators": _list(OPERATOR_COMPARISON),
    }
)
COMPARED_PROFILE = _object(
    {
        "profile": {"type": "string", "pattern": "^/"},
        "name": {"type": "string", "minLength": 1},
        "format": TEXT,
        "target": TEXT,
        "device": TEXT,
        "rank": MAYBE_COUNT,
        "world_size": MAYBE_COUNT,
        "steps": COUNT,
        "warmup": COUNT,
        "recorded_ns": COUNT,
        "device_time_ns": COUNT,
        "step_device_time": MAYBE_SPREAD,
        "attributed_ns": COUNT,
        "unattributed_ns": COUNT,
        "predicted_ns": MAYBE_COUNT,
        "hbm_bytes": MAYBE_COUNT,
        "memory": {"anyOf": [MEMORY, {"type": "null"}]},
        "pricing": {"anyOf": [PRICING, {"type": "null"}]},
        "time_kind": TIME_KIND,
        "attribution": ATTRIBUTION,
        "quality": _list(QUALITY),
    }
)
COMPARISON = _object(
    {
        "base": COMPARED_PROFILE,
        "new": COMPARED_PROFILE,
        "change": _object(
            {
                "device_time_ns": DIFFERENCE,
                "predicted_ns": MAYBE_DIFFERENCE,
                "recorded_ns": DIFFERENCE,
                "hbm_bytes": MAYBE_DIFFERENCE,
            }
        ),
        "lines": _list(LINE_COMPARISON),
        "unattributed": _object(COST_COMPARISON),
        "operators": _list(OPERATOR_COMPARISON),
        "quality": _list(QUALITY),
    }
)

PLAN = _object(
    {
        "target": TEXT,
        "environment": {"type": "object", "additionalProperties": TEXT},
        "command": _list(TEXT),
    }
)

ERROR = _object(
    {"error": _object({"code": {"type": "string", "pattern": "^[a-z_]+$"}, "message": TEXT})}
)


def check(document: Any, schema: Json) -> None:
    """Raise ValidationError unless the document is as the schema says."""
    jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)


def check_report(document: Json, *, all_lines: bool = True) -> None:
    """Raise unless a report is as the contract says, its sums included.

    Args:
        document: What was printed.
        all_lines: Whether lines were not left out (``--file``).
    """
    check(document, REPORT)
    lines = document["lines"]
    own_ns = [line["self_ns"] for line in lines]
    assert own_ns == sorted(own_ns, reverse=True)
    assert len({(line["file"], line["line"]) for line in lines}) == len(lines)
    assert document["attributed_ns"] + document["unattributed_ns"] == document["device_time_ns"]
    assert document["device_busy_ns"] <= document["span_ns"]
    if all_lines:
        assert sum(own_ns) == document["attributed_ns"]
    for line in lines:
        assert line["forward_ns"] + line["backward_ns"] == line["self_ns"] <= line["total_ns"]
        assert sum(operator["self_ns"] for operator in line["ops"]) == line["self_ns"]
    unattributed = document.get("unattributed_ops", [])
    assert sum(operator["self_ns"] for operator in unattributed) == document["unattributed_ns"]
