"""Rows of a system profile for tests, written by hand: what a small program does on one core."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

EPOCH_NS = 1_766_072_157_000_000_000
INSTANCE = "i-0b1ea78ca2865fd32"
PID = 1765325


class SystemRows:
    """Rows of ``SystemProfileEvents``, added one by one; times count from ``EPOCH_NS``."""

    def __init__(self, pid: int = PID, instance: str = INSTANCE) -> None:
        self.rows: list[Row] = []
        self._process = {"process_id": pid, "instance_id": instance}

    def add(self, source: str, name: str, start_ns: int, end_ns: int, **columns: Any) -> None:
        """Add a row of a source; its thread is 7 unless another is given."""
        self.rows.append(
            {
                "id": (1 << 62) + len(self.rows),
                "name": name,
                "start_ts": EPOCH_NS + start_ns,
                "end_ts": EPOCH_NS + end_ns,
                "duration_ns": end_ns - start_ns,
                "trace_event_source": source,
                "thread_id": 7,
                **self._process,
                **columns,
            }
        )

    def host(self, name: str, start_ns: int, end_ns: int, **columns: Any) -> None:
        """Add a row of the framework on a thread."""
        self.add("framework", name, start_ns, end_ns, **columns)

    def work(self, name: str, start_ns: int, end_ns: int, flow: str, **columns: Any) -> None:
        """Add what the framework dispatched to a stream."""
        columns = {"flow_id": [flow], "framework_stream_id": "0", "thread_id": 0, **columns}
        self.add("framework", f"{name} [trace.json]", start_ns, end_ns, **columns)

    def wait(self, start_ns: int, end_ns: int, *flows: str, **columns: Any) -> None:
        """Add the runtime's wait for an execution."""
        columns = {"thread_id": 99, "flow_id": list(flows), **columns}
        self.add("neuron_rt", "kbl_exec_wait", start_ns, end_ns, **columns)

    def execution(
        self, start_ns: int, end_ns: int, flow: str | None, core: int, **columns: Any
    ) -> None:
        """Add what one physical core reports of an execution."""
        flows = None if flow is None else [flow]
        columns = {"nc_idx": core // 2, "pcore_idx": core, "flow_id": flows, **columns}
        self.add("neuron_hw", "nc_exec_running", start_ns, end_ns, thread_id=0, **columns)
