"""All tables of a profile."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sidelight.analysis.modules.tree import Modules
from sidelight.analysis.report import LineReport
from sidelight.analysis.roofline.chart import RooflineChart
from sidelight.analysis.tables.kernels import KERNEL_COLUMNS, kernel_rows
from sidelight.analysis.tables.lines import LINE_COLUMNS, line_rows
from sidelight.analysis.tables.modules import MODULE_COLUMNS, module_rows
from sidelight.analysis.tables.operators import OPERATOR_COLUMNS, operator_rows
from sidelight.analysis.tables.table import Column, Row, Table
from sidelight.analysis.tables.tensors import TENSOR_COLUMNS, tensor_rows
from sidelight.profile.model import Profile


class Tables(msgspec.Struct, frozen=True):
    """The tables of a profile. The ``self_ns`` of operators, lines and modules each add up to its
    device time; those of kernels to that of the device's own rows."""

    operators: Table
    lines: Table
    modules: Table
    kernels: Table
    tensors: Table


def tables_of(
    profile: Profile, chart: RooflineChart | None, report: LineReport, modules: Modules
) -> Tables:
    """Make a profile's tables.

    Args:
        profile: An attributed profile.
        chart: Its roofline chart; None where no work is known.
        report: Its per-line report.
        modules: Its modules.
    """
    manifest, device_ns = profile.manifest, report.device_time_ns
    operator_dots, line_dots, module_dots = (
        (chart.operators.dots, chart.lines.dots, chart.modules.dots) if chart else ([], [], [])
    )

    def table(columns: Sequence[Column], rows: list[Row]) -> Table:
        return Table(list(columns), rows, manifest.time_kind, manifest.attribution)

    return Tables(
        operators=table(OPERATOR_COLUMNS, operator_rows(profile, operator_dots, device_ns)),
        lines=table(LINE_COLUMNS, line_rows(profile, report, line_dots)),
        modules=table(MODULE_COLUMNS, module_rows(profile, modules, module_dots, device_ns)),
        kernels=table(KERNEL_COLUMNS, kernel_rows(profile, device_ns)),
        tensors=table(TENSOR_COLUMNS, tensor_rows(profile)),
    )
