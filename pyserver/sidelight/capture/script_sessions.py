"""The script's own torch.profiler sessions: left as they are, and their recordings taken.

The class beneath every session is told to report its starts and stops. While one records, line
spans run with it; what the script sees of it afterwards (tables, events, exported traces) is
without them.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Protocol

from .hidden_shapes import hide_in_events, hide_in_trace, shapes_recorded
from .own_rows import ProgramsRows, copy_programs_rows

_SESSION_IN_SOURCE = re.compile(
    r"profiler[.\w]*\.profile\b|profiler\s+import\b[^\n]*\bprofile\b|\bProfilerActivity\b"
)


class SessionEvents(Protocol):
    """Who is told of the script's sessions."""

    def session_prepares(self) -> None:
        """The script is about to use the profiler: any other recording must end now."""
        ...

    def session_started(self) -> None:
        """The script's profiler records from now on."""
        ...

    def session_stops(self) -> None:
        """The script's profiler is about to stop."""
        ...

    def session_recorded(self, export: Callable[[Path], None], config: Any) -> Path | None:
        """A recording is complete; returns where ``export`` put its Chrome trace, if it did.

        Args:
            export: Writes the Chrome trace.
            config: The session's ``experimental_config``.
        """
        ...


def mentions_session(source: str) -> bool:
    """Whether a script's text looks as if it ran torch.profiler itself."""
    return _SESSION_IN_SOURCE.search(source) is not None


class ScriptSessions:
    """Watches ``torch.autograd.profiler.profile``, which every session goes through.

    Args:
        torch: The imported torch package.
        events: Who is told.
    """

    def __init__(self, torch: Any, events: SessionEvents) -> None:
        self._class = torch.autograd.profiler.profile
        self._events = events
        self._kernel_type = torch.autograd.DeviceType.PrivateUse1
        self._tables = torch.autograd.profiler_util.EventList
        self._needs_shapes = False
        self._ignoring = threading.local()
        self._open: tuple[Any, int] | None = None
        self._originals: list[tuple[Any, str, Any]] = []

    @contextmanager
    def ignored(self) -> Generator[None]:
        """Let the agent's own recording, on this thread, pass unnoticed."""
        self._ignoring.now = True
        try:
            yield
        finally:
            self._ignoring.now = False

    def watch(self) -> None:
        """Begin to watch; a torch without the expected methods is left alone."""
        self._wrap("_prepare_trace", self._around_prepare)
        self._wrap("_start_trace", self._around_start)
        self._wrap("__exit__", self._around_exit)
        self._wrap("export_chrome_trace", self._around_export)
        self._wrap("_parse_kineto_results", self._around_parse)

    def predict(self, about: str) -> None:
        """Have sessions be of a device whose times are predicted.

        Predictions stand on shapes, so that those are recorded whether the script asks or not; what
        it did not ask for it does not see.

        Args:
            about: What is put below every table that shows times of a device.
        """
        self._needs_shapes = True
        table = self._tables.table

        @functools.wraps(table)
        def table_and_sentence(events: Any, *arguments: Any, **keywords: Any) -> str:
            text = table(events, *arguments, **keywords)
            has_times = any(event.self_device_time_total > 0 for event in events)
            return f"{text}{about}\n" if has_times else text

        self._replace(self._tables, "table", table_and_sentence)

    def end_open(self) -> None:
        """End the session that records, as the process ends and nobody else will.

        One that another thread started can only be ended there.
        """
        if self._open is not None:
            profiler, thread = self._open
            if thread == threading.get_ident():
                profiler.__exit__(None, None, None)

    def unwatch(self) -> None:
        """Watch no more."""
        for owner, name, original in self._originals:
            setattr(owner, name, original)

    def _replace(self, owner: Any, name: str, method: Callable[..., Any]) -> None:
        self._originals.append((owner, name, getattr(owner, name)))
        setattr(owner, name, method)

    def _wrap(self, name: str, around: Callable[..., Any]) -> None:
        original = getattr(self._class, name, None)
        if original is None:
            return

        @functools.wraps(original)
        def method(profiler: Any, *arguments: Any, **keywords: Any) -> Any:
            call = functools.partial(original, profiler)
            if getattr(self._ignoring, "now", False):
                return call(*arguments, **keywords)
            return around(profiler, call, *arguments, **keywords)

        self._replace(self._class, name, method)

    def _around_prepare(self, profiler: Any, call: Callable[..., Any], *arguments: Any) -> Any:
        self._events.session_prepares()
        if self._needs_shapes:
            _want_no_markers(profiler)
        return self._with_shapes(profiler, call, *arguments)

    def _around_start(self, profiler: Any, call: Callable[..., Any], *arguments: Any) -> Any:
        self._events.session_prepares()
        result = self._with_shapes(profiler, call, *arguments)
        self._open = profiler, threading.get_ident()
        self._events.session_started()
        return result

    def _with_shapes(self, profiler: Any, call: Callable[..., Any], *arguments: Any) -> Any:
        if not self._hides_shapes(profiler):
            return call(*arguments)
        with shapes_recorded(profiler):
            return call(*arguments)

    def _hides_shapes(self, profiler: Any) -> bool:
        """Whether a session records shapes that the script did not ask for."""
        return self._needs_shapes and not profiler.record_shapes

    def _around_exit(self, profiler: Any, call: Callable[..., Any], *arguments: Any) -> Any:
        if not profiler.enabled:
            return call(*arguments)
        self._open = None
        self._events.session_stops()
        result = call(*arguments)
        results = profiler.kineto_results
        if results is not None and _is_recording(results):
            trace = self._events.session_recorded(
                lambda path: results.save(str(path)), profiler.experimental_config
            )
            profiler._sidelight_trace = trace
        return result

    def _around_export(
        self, profiler: Any, call: Callable[..., Any], path: str, *arguments: Any, **keywords: Any
    ) -> Any:
        trace = profiler.__dict__.pop("_sidelight_trace", None)
        if trace is None or arguments[1:] or keywords.get("use_python_export"):
            # A second export fails in torch's own words; torch's Python exporter needs no copy.
            return call(path, *arguments, **keywords)
        copy_programs_rows(trace, Path(path))
        if self._hides_shapes(profiler):
            hide_in_trace(Path(path))
        return None

    def _around_parse(
        self,
        profiler: Any,
        call: Callable[..., Any],
        results: Any,
        *arguments: Any,
        **keywords: Any,
    ) -> Any:
        rows = ProgramsRows(results, self._kernel_type)
        function_events = call(rows, *arguments, **keywords)
        if self._hides_shapes(profiler):
            hide_in_events(function_events)
        rows.add_kernels(function_events)
        return function_events


def _want_no_markers(profiler: Any) -> None:
    """Have a session that was asked for in torch's old way need nothing of the device's in C++."""
    kinds = profiler.profiler_kind.__class__
    if profiler.profiler_kind == getattr(kinds, "KINETO_PRIVATEUSE1_FALLBACK", None):
        profiler.profiler_kind = kinds.KINETO_PRIVATEUSE1


def _is_recording(results: Any) -> bool:
    """Whether a session left a recording: ended by another session or thread, it leaves none.

    torch ends the process where such results are to be saved.
    """
    return results.trace_start_ns() > 0
