"""The lines of kernels that the table of kernels' instructions names."""

from __future__ import annotations

from typing import NamedTuple

from sidelight.ingest.explorer.places import Place
from sidelight.ingest.explorer.tables import Tables


class KernelPlace(NamedTuple):
    """A line of a kernel.

    Attributes:
        place: Where it is.
        function: The function that it is in; empty where it is not known.
    """

    place: Place
    function: str = ""


def read_kernel_places(tables: Tables) -> dict[str, KernelPlace]:
    """The lines of kernels' instructions, by the name that ``Instruction`` has for these.

    ``KernelInstructions`` has the whole path, which an instruction's own text may lack, and
    ``KernelStackFrames`` the function; of callers it knows only where they are defined, not the
    line that calls, so they are left out.
    """
    frames = tables.read("KernelStackFrames", ("stack_frame_id", "fully_qualified_function_name"))
    function_of = dict(
        zip(
            frames.texts("stack_frame_id"),
            frames.texts("fully_qualified_function_name"),
            strict=True,
        )
    )
    found: dict[str, KernelPlace] = {}
    for batch in tables.batches(
        "KernelInstructions",
        ("kernel_instruction_name", "stack_frame_id", "file_path", "line_number"),
    ):
        for name, frame, file, line in zip(
            batch.texts("kernel_instruction_name"),
            batch.texts("stack_frame_id"),
            batch.texts("file_path"),
            batch.integers("line_number").tolist(),
            strict=True,
        ):
            if name and file and line > 0:
                function = function_of.get(frame, "")
                found.setdefault(name, KernelPlace(Place(file, line), function))
    return found
