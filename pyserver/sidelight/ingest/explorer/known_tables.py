"""The tables that Neuron Explorer writes, by the names of its published schema 7.4.0."""

from __future__ import annotations

from typing import Final

TELLING_TABLES: Final = frozenset(
    {
        *("ActiveTime", "AssemblyInstruction", "BirInstruction", "CcInstruction", "CcOp"),
        *("CcStream", "CoreBarriers", "DeviceProfileList", "DmaPacket", "DmaPacketAggregated"),
        *("DmaQueuesInfo", "DmaUsage", "ExecutionInfo", "FrameworkInstruction", "FrameworkNode"),
        *("HbmUsage", "HbmUsageSummaryByType", "HloInstruction", "Instruction"),
        *("KernelInstructions", "KernelStackFrames", "NeffHeader", "OpcodeSummary", "PendingDma"),
        *("PenguinInstruction", "PsumUsage", "SbufAllocation", "SbufUsage", "SchemaFields"),
        *("SemaphoreUpdate", "StackFrame", "SystemProfileEvents", "SystemProfileHbmUsage"),
        *("SystemProfileMetadata", "ThrottleSummary"),
    }
)
"""Tables by which a folder is known to be a profile: those whose names say enough."""

_PLAIN_TABLES: Final = frozenset(
    {
        *("CpuUsage", "DmaUsageSummary", "Error", "Flow", "HostMemUsage"),
        *("KernelIterationVariables", "Metadata", "StackFrameFileLocation", "StackFrameFileName"),
        *("StackFrameFunctionName", "Summary", "TensorInfo", "Throttle", "Warning"),
    }
)

KNOWN_TABLES: Final = TELLING_TABLES | _PLAIN_TABLES

PASSED_OVER: Final = frozenset(
    {
        # What rows of other tables tell as well: their sums, or the same on a coarser grid.
        *("OpcodeSummary", "DmaUsageSummary"),
        # What nothing here shows: ports of queues, cores of streams, values of semaphores and of
        # kernels' loops, and instructions before they were unrolled.
        *("DmaQueuesInfo", "CcStream", "SemaphoreUpdate", "KernelIterationVariables"),
        "AssemblyInstruction",
    }
)
"""Tables that are known and not read."""
