"""The tables of a profile: every column, documented once.

A table is a set of numpy columns of one length. Times are int64 nanoseconds from the profile's
start (its absolute start is in the manifest). An id of -1 means "none"; only
``events.forward_thread`` tells more than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

Column = npt.NDArray[Any]

Schema = Mapping[str, "type[np.generic]"]
"""Columns by name, with their types."""


class Category(IntEnum):
    """What an event is. Stored in ``events.category``."""

    OPERATOR = 0
    """A framework operator on a host thread (``cpu_op``)."""
    LINE = 1
    """A user's source line, open while it is the innermost line of its frame."""
    ANNOTATION = 2
    """A user's ``record_function`` region and the profiler's own: never time of its own."""
    STEP = 3
    """A ``ProfilerStep#N`` region of a script that calls ``prof.step()``."""
    FUNCTION = 4
    """A Python function call of a ``with_stack`` trace."""
    RUNTIME = 5
    """A host call of a device's runtime or driver: launches, copies, synchronizes."""
    DEVICE = 6
    """A row of the device-time level: a kernel, copy or fill on a stream."""
    DEVICE_COARSE = 7
    """A coarser device row (``privateuse1_driver``): device time only where no DEVICE row is."""
    OTHER = 8
    """Anything else with a duration: shown on the timeline, never counted."""
    DEVICE_RUNTIME = 9
    """A host call of a PrivateUse1 device's runtime: as RUNTIME, but device time where the trace
    has no row of the device at all."""
    HOST_OPERATOR = 10
    """An operator that the host computes in a program whose device is stood in for: nests and
    counts as an OPERATOR, and has no part in what the device would do."""
    ENGINE_WORK = 11
    """What an engine, a DMA queue or a collective's core did: an instruction without the time it
    waited, or a transfer. Where executions have rows of their own, it tells which lines they were
    of; where they have none, device time is the union of these rows, core by core."""
    COMPILED_OPERATOR = 12
    """An operator as the compiler knows it, on a device's track: what rows of ENGINE_WORK with the
    same ``external_id`` count under. Never time of its own."""


DEVICE_TIME_LEVELS: Final = (
    Category.DEVICE,
    Category.ENGINE_WORK,
    Category.DEVICE_COARSE,
    Category.DEVICE_RUNTIME,
)
"""Rows that are device time: those of the first level that took any time count, each row once; of
ENGINE_WORK each instant once a core."""


EVENT_COLUMNS: Final[Schema] = {
    "track": np.int32,  # index into tracks
    "category": np.int8,  # Category
    "name": np.int32,  # index into the string table
    "start_ns": np.int64,
    "duration_ns": np.int64,
    "sequence_nr": np.int64,  # autograd sequence number of an operator
    # Of a backward operator: 1 + index of the track its forward ran on; 0 = no backward operator,
    "forward_thread": np.int32,  # -1 = the track cannot be told
    "external_id": np.int64,  # of an operator; of a device row: the operator that launched it
    "correlation_id": np.int64,  # joins a call of the runtime with the device row it launched
    "frame": np.int32,  # LINE and FUNCTION rows: index into frames
    "entry": np.int8,  # LINE and FUNCTION rows: 1 if execution entered the statement here
    "signature": np.int32,  # string id: JSON of the inputs' dims, types and concrete values
}
"""What a reader fills in."""

ATTRIBUTION_COLUMNS: Final[Schema] = {
    "parent": np.int32,  # innermost enclosing LINE, FUNCTION or OPERATOR row of the same track
    "stack": np.int32,  # calling context: index into stacks, -1 = unattributed
    "backward": np.int8,  # 1 if it ran as part of a backward pass
    "launch": np.int32,  # index into launches: the .backward() line it ran inside
    "operator": np.int32,  # the row whose name it counts under: itself, or its launching operator
    "step": np.int32,  # index into steps, -1 = outside every recorded step
    "device_ns": np.int64,  # this row's own share of device time, 0 for rows that are not counted
    "host_ns": np.int64,  # LINE rows: wall time in recorded steps with this line innermost
}
"""What attribution adds."""

PREDICTION_COLUMNS: Final[Schema] = {
    "price": np.int32,  # index into prices, -1 = none, -2 = it needs one that cannot be told
    "predicted_ns": np.int64,  # predicted device time of the row's own kernel, -1 = not priced
    "launch_ns": np.int64,  # what submitting that kernel takes the host, 0 where it is not alone
}
"""What pricing adds, where a profile was priced."""

FRAME_COLUMNS: Final[Schema] = {
    "file": np.int32,  # index into the manifest's files
    "line": np.int32,  # 1-based
    "function": np.int32,  # string id of the qualified name
}
"""A frame is a place in the source: a file, a line, and the function it belongs to."""

STACK_COLUMNS: Final[Schema] = {
    "parent": np.int32,  # the caller's node, -1 at the root
    "frame": np.int32,  # index into frames
}
"""The calling-context tree: a node is a frame under its caller's node. Parents come first."""

LAUNCH_COLUMNS: Final[Schema] = {
    "stack": np.int32,  # the line that started a backward pass
    "parent": np.int32,  # the launch this one ran inside, -1 = none
}
"""Backward passes, by the line that started them. Parents come first."""

PRICE_COLUMNS: Final[Schema] = {
    "operator": np.int32,  # string id: its name; of several that share a kernel, the first's
    "rule": np.int32,  # string id: how the operator was understood
    "engine": np.int32,  # string id: what takes longest
    "bound": np.int32,  # string id: compute, memory or overhead
    "dtype": np.int32,  # string id: what the roof is of
    "flops": np.int64,
    "hbm_bytes": np.int64,  # each operand and result once
    "duration_ns": np.int64,  # the kernel's device time
    "fixed_ns": np.int64,  # the part of it that starting and ending it takes
    "roof_ns": np.int64,  # what the plain roofline allows
    "launch_ns": np.int64,  # what submitting it takes the host; no device time
    "tensor_ns": np.int64,  # busy time of the Tensor Engine, and so on
    "vector_ns": np.int64,
    "scalar_ns": np.int64,
    "gpsimd_ns": np.int64,
    "dma_ns": np.int64,
    "collective_ns": np.int64,
    "parts": np.int32,  # operators that share the kernel; over 1, its time is apportioned
}
"""Predicted kernels. Equal calls of an operator share a row."""

WORK_COLUMNS: Final[Schema] = {
    "event": np.int32,  # index into events, ascending, each once
    "operands": np.int32,  # string id: what the instruction or transfer was given, for people
    "program": np.int32,  # string id: what an execution ran: its model's id, or its NEFF's name
    # String ids: what an instruction was on its way from the framework's operator down to the core.
    "hlo": np.int32,
    "penguin": np.int32,  # the compiler's own level below HLO
    "bir": np.int32,  # and the one below that, whose instructions engines carry out
    "wait_ns": np.int64,  # how long it waited before it started
    "flops": np.int64,  # of a matrix product: two a multiplication with its addition
    "transpose_flops": np.int64,  # the part of them that only turns data round
    "hbm_read_bytes": np.int64,
    "hbm_write_bytes": np.int64,
    "spill_save_bytes": np.int64,  # of the bytes written, what did not fit into SBUF
    "spill_reload_bytes": np.int64,  # of the bytes read, what was written for that reason
    "moved_bytes": np.int64,  # of a DMA transfer or collective, wherever from and to
}
"""What is known of rows of ENGINE_WORK, and of executions, beside their time. -1 is unknown."""

WORK_TEXTS: Final = ("operands", "program", "hlo", "penguin", "bir")
"""Those of its columns that are string ids."""

ORIGIN_COLUMNS: Final[Schema] = {
    "event": np.int32,  # index into events, ascending; several rows may be of one event
    "stack": np.int32,  # index into stacks
}
"""The calling contexts that a file itself names for an event, as compilers note them for
instructions: a reader that fills it in fills in ``stacks``, too. Of several, none is the one."""

SHARE_COLUMNS: Final[Schema] = {
    "event": np.int32,  # index into events, ascending; several rows are of one event
    "stack": np.int32,  # index into stacks, -1 = unattributed
    "device_ns": np.int64,  # those of one event add up to its own ``device_ns``
}
"""What attribution adds for events whose device time belongs to several lines. An event that is not
in here belongs to its ``stack`` alone."""

MODULE_CALL_COLUMNS: Final[Schema] = {
    "track": np.int32,  # index into tracks: the host's thread
    "name": np.int32,  # string id: the module's path in its caller, and its class
    "start_ns": np.int64,
    "duration_ns": np.int64,
}
"""The calls of modules on host threads, as a capture notes them, sorted as events are: they nest,
and are no events themselves. Traces of others may have rows of them among their events."""

SAMPLE_COLUMNS: Final[Schema] = {
    "series": np.int32,  # index into the manifest's series
    "at_ns": np.int64,  # ascending within a series
    "value": np.float64,  # holds until the next
}
"""Quantities over time: memory, throughput, utilisation."""

FLOW_COLUMNS: Final[Schema] = {
    "source": np.int32,  # index into events, ascending
    "target": np.int32,  # index into events: what could not start before
    "kind": np.int32,  # string id: how the one depends on the other, as the file calls it
}
"""Which of a core's rows waited for which: arrows from row to row, as the file itself has them."""

TENSOR_COLUMNS: Final[Schema] = {
    "name": np.int32,  # string id
    "use": np.int32,  # string id: input, output, weight, or what else the file calls it
    "dtype": np.int32,  # string id, as the compiler writes it: float32
    "shape": np.int32,  # string id: [128, 1024]
    "layout": np.int32,  # string id: what its dimensions are, such as NCHW
    "size_bytes": np.int64,
    "loads": np.int64,  # transfers that brought it, or parts of it, into SBUF
    "loaded_bytes": np.int64,  # what these moved: over size_bytes, it was loaded several times
    "physical_core": np.int32,
}
"""The tensors of the program that was profiled. -1 is unknown."""

TENSOR_TEXTS: Final = ("name", "use", "dtype", "shape", "layout")
"""Those of its columns that are string ids."""

STEP_COLUMNS: Final[Schema] = {
    "start_ns": np.int64,
    "end_ns": np.int64,
}
"""The recorded steps, warm-up left out. They may leave gaps, but never overlap."""


CLOCK_COLUMNS: Final[Schema] = {
    "recorded_ns": np.int64,  # ascending; the last recorded instant is among them
    "shown_ns": np.int64,  # strictly ascending
}
"""Instants at which host rows begin and end, as recorded and as the profile has them: where
something stood in for the device, its host's clock is set anew."""


class Table:
    """Named numpy columns of one length.

    Args:
        columns: The columns, all of one length.

    Raises:
        ValueError: The columns differ in length.
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of different lengths: {sorted(lengths)}")
        self._columns = dict(columns)
        self._length = lengths.pop() if lengths else 0

    @classmethod
    def empty(cls, schema: Schema) -> Table:
        """A table of no rows with the columns of ``schema``."""
        return cls({name: np.empty(0, dtype) for name, dtype in schema.items()})

    @classmethod
    def of(cls, schema: Schema, values: Mapping[str, Any]) -> Table:
        """A table with the columns and types of ``schema``; absent values become -1."""
        length = max((len(value) for value in values.values()), default=0)
        return cls(
            {
                name: np.asarray(values[name], dtype)
                if name in values
                else np.full(length, -1, dtype)
                for name, dtype in schema.items()
            }
        )

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def with_columns(self, columns: Mapping[str, Column]) -> Table:
        """A table with more (or replaced) columns; this one stays as it is."""
        return Table({**self._columns, **columns})

    def to_pandas(self) -> pd.DataFrame:
        """The table as a DataFrame, one row a row, one column a column."""
        import pandas as pd

        return pd.DataFrame(dict(self._columns))
