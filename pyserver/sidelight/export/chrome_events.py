"""The text of a Chrome trace's events."""

from __future__ import annotations

from sidelight.export.inputs import inputs_of
from sidelight.export.lanes import Lanes
from sidelight.export.processes import Processes
from sidelight.export.rows import ShownRows
from sidelight.export.source import Indexes, Source
from sidelight.export.trace_categories import trace_categories
from sidelight.export.work_arguments import WorkArguments
from sidelight.profile.json_files import encode_json
from sidelight.profile.shown_rows import CATEGORY_NAMES
from sidelight.profile.tables import Category


def json_text(text: str) -> str:
    """A text as JSON."""
    return encode_json(text).decode()


def microseconds(time_ns: int) -> str:
    """A time in microseconds, exact to the nanosecond."""
    sign = "-" if time_ns < 0 else ""
    whole, rest = divmod(abs(time_ns), 1000)
    return f"{sign}{whole}.{rest:03d}"


class EventTexts:
    """Makes the texts of a profile's events.

    Args:
        source: What is exported.
        lanes: Where its events lie.
    """

    def __init__(self, source: Source, lanes: Lanes) -> None:
        profile = self._profile = source.profile
        self._lanes = lanes
        self._categories = trace_categories(profile.manifest.device)
        processes = Processes(profile).of_track
        self._lane_texts = [
            f'"pid":{processes[track]},"tid":{lane + 1}' for lane, track in enumerate(lanes.track)
        ]
        self._shown = ShownRows(profile)
        self._names = list(map(json_text, profile.strings))
        self._line_names = list(map(json_text, self._shown.function_names))
        self._lines = [json_text(f"{path}:{line}") for path, line in self._shown.places]
        label = ',"time_kind":"predicted"' if source.is_predicted else ""
        self._kinds = [f'"kind":"{CATEGORY_NAMES[category]}"{label}' for category in Category]
        self._signatures: dict[int, str] = {}
        self._work = WorkArguments(profile)

    def texts(self, rows: Indexes) -> list[str]:
        """One JSON object for each of some events, ascending."""
        events = self._profile.events
        more = self._more(rows)
        is_priced = "price" in events
        prices = ("price", "predicted_ns", "launch_ns") if is_priced else ()
        columns = [
            events[name][rows].tolist()
            for name in (
                *("category", "name", "start_ns", "duration_ns", "frame", "entry"),
                *("external_id", "correlation_id", "sequence_nr", "forward_thread", "signature"),
            )
        ]
        columns += [self._shown.frames(rows).tolist(), self._lanes.of_event[rows].tolist()]
        predictions = [events[name][rows].tolist() for name in prices] or [[-1] * len(rows)] * 3
        return [
            self._text(more.get(row, ""), *each)
            for row, *each in zip(rows.tolist(), *columns, *predictions, strict=True)
        ]

    def _text(
        self,
        more: str,
        category: int,
        name: int,
        start_ns: int,
        duration_ns: int,
        frame: int,
        entry: int,
        external_id: int,
        correlation_id: int,
        sequence_nr: int,
        forward_thread: int,
        signature: int,
        line: int,
        lane: int,
        price: int,
        predicted_ns: int,
        launch_ns: int,
    ) -> str:
        args = self._kinds[category]
        if external_id != -1:
            args += f',"External id":{external_id}'
        if correlation_id != -1:
            args += f',"correlation":{correlation_id}'
        if sequence_nr != -1:
            args += f',"Sequence number":{sequence_nr}'
        if forward_thread:
            args += f',"Fwd thread id":{forward_thread}'
        if signature >= 0:
            args += self._inputs(signature)
        if frame >= 0:
            args += f',"frame":{frame},"entry":{entry}'
        if line >= 0:
            args += f',"line":{self._lines[line]}'
        if price != -1:
            args += f',"price":{price}'
        if predicted_ns != -1:
            args += f',"predicted_ns":{predicted_ns},"launch_ns":{launch_ns}'
        is_line = category == Category.LINE and frame >= 0
        text = self._line_names[frame] if is_line else self._names[name]
        return (
            f'{{"ph":"X","cat":"{self._categories[category]}","name":{text},'
            f'{self._lane_texts[lane]},"ts":{microseconds(start_ns)},'
            f'"dur":{microseconds(duration_ns)},"args":{{{args}{more}}}}}'
        )

    def _inputs(self, signature: int) -> str:
        """An operator's inputs, as arguments."""
        text = self._signatures.get(signature)
        if text is None:
            members = inputs_of(self._profile.strings[signature])
            text = "".join(f',"{key}":{value}' for key, value in members.items())
            self._signatures[signature] = text
        return text

    def _more(self, rows: Indexes) -> dict[int, str]:
        """Arguments that few events have, each with a comma before it."""
        texts = {
            event: f',"contexts":[{",".join(map(str, stacks))}]'
            for event, stacks in self._work.contexts(rows).items()
        }
        for event, members in self._work.members(rows).items():
            texts[event] = f"{texts.get(event, '')},{encode_json(members)[1:-1].decode()}"
        return texts
