"""Profiles as a run would leave them, recorded from a timeline that a test plays by hand."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from sidelight.analysis.attribution import attribute
from sidelight.profile.manifest import Manifest, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import EVENT_COLUMNS, FRAME_COLUMNS, STEP_COLUMNS, Category, Table

NODE = "autograd::engine::evaluate_function: "


class Recording:
    """A thread's timeline; time passes only where an operator says so."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.step_starts_ns: list[int] = []
        self._rows: list[dict[str, int]] = []
        self._names: dict[str, int] = {}
        self._frames: dict[tuple[str, int], int] = {}

    def step(self) -> None:
        """The next step starts here."""
        self.step_starts_ns.append(self.now_ns)

    @contextmanager
    def line(self, path: str, number: int) -> Generator[None]:
        """What happens inside has this line innermost."""
        frame = self._frames.setdefault((path, number), len(self._frames))
        with self._row(Category.LINE, "line", frame=frame, entry=1):
            yield

    def operator(self, name: str, duration_ns: int, sequence_nr: int = -1) -> None:
        """A forward operator."""
        with self._row(Category.OPERATOR, name, sequence_nr=sequence_nr):
            self.now_ns += duration_ns

    def backward(self, name: str, duration_ns: int, sequence_nr: int) -> None:
        """A node of a backward pass, for the forward operator of that number."""
        numbers = {"sequence_nr": sequence_nr, "forward_thread": 1}
        with self._row(Category.OPERATOR, NODE + name, **numbers):
            self.operator(name, duration_ns, sequence_nr)

    @contextmanager
    def _row(self, category: Category, name: str, **values: int) -> Generator[None]:
        row = {"category": int(category), "start_ns": self.now_ns, **values}
        row["name"] = self._names.setdefault(name, len(self._names))
        self._rows.append(row)
        yield
        row["duration_ns"] = self.now_ns - row["start_ns"]

    def profile(self, manifest: Manifest, files: Sequence[SourceFile]) -> Profile:
        """The attributed profile."""
        absent = {"track": 0, "forward_thread": 0, "entry": 0}
        values = {
            column: [row.get(column, absent.get(column, -1)) for row in self._rows]
            for column in EVENT_COLUMNS
        }
        paths = [file.path for file in files]
        frames = {
            "file": [paths.index(path) for path, _ in self._frames],
            "line": [line for _, line in self._frames],
            "function": [0] * len(self._frames),
        }
        starts_ns = self.step_starts_ns or [0]
        steps = {"start_ns": starts_ns, "end_ns": [*starts_ns[1:], self.now_ns]}
        profile = Profile(
            manifest=manifest,
            strings=list(self._names),
            tracks=[Track("host", "main", "1", "1")],
            files=list(files),
            events=Table.of(EVENT_COLUMNS, values),
            frames=Table.of(FRAME_COLUMNS, frames),
            steps=Table.of(STEP_COLUMNS, steps),
        )
        return attribute(profile)


MODEL_PATH = "/project/model.py"
MODEL = '''\
"""A model."""

import torch


class RMSNorm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        variance = x.pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + 1e-6)
        return self.weight * x


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = RMSNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        hidden = self.up(self.norm(x))
        hidden = torch.nn.functional.gelu(hidden)
        return x + self.down(hidden)
'''
TRAIN_PATH = "/project/train.py"
TRAIN = """\
import torch
from model import Block

model = Block(64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(8):
    loss = model(torch.randn(8, 64)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""


def training_profile(name: str = "train", *, steps: int = 4, **manifest: object) -> Profile:
    """A small training run: forward, backward, and an optimizer nobody's line is known for."""
    run = Recording()
    for _ in range(steps):
        run.step()
        with run.line(TRAIN_PATH, 7):
            run.operator("aten::randn", 4_100)
            with run.line(MODEL_PATH, 25):
                with run.line(MODEL_PATH, 12):
                    run.operator("aten::pow", 31_000, 1)
                    run.operator("aten::mean", 52_000, 2)
                with run.line(MODEL_PATH, 13):
                    run.operator("aten::rsqrt", 12_000, 3)
                    run.operator("aten::mul", 23_500, 4)
                with run.line(MODEL_PATH, 14):
                    run.operator("aten::mul", 22_700, 5)
                run.operator("aten::linear", 310_000, 6)
            with run.line(MODEL_PATH, 26):
                run.operator("aten::gelu", 88_000, 7)
            with run.line(MODEL_PATH, 27):
                run.operator("aten::linear", 290_000, 8)
                run.operator("aten::add", 9_800, 9)
            run.operator("aten::mean", 3_300, 10)
        with run.line(TRAIN_PATH, 8):
            run.operator("aten::ones_like", 1_200)
            run.backward("AddmmBackward0", 540_000, 8)
            run.backward("GeluBackward0", 121_000, 7)
            run.backward("AddmmBackward0", 602_000, 6)
            run.backward("MulBackward0", 40_400, 5)
        with run.line(TRAIN_PATH, 9):
            run.operator("aten::_foreach_add_", 67_000)
        run.operator("aten::zero_", 15_000)
    fields: dict[str, object] = {
        "name": name,
        "created": "",
        "format": "capture",
        "target": "cpu",
        "device": "cpu",
        "line_level": "line",
        "warmup": 3,
        "command": ["train.py"],
        "script_exit": 0,
        **manifest,
    }
    files = [SourceFile(TRAIN_PATH, TRAIN), SourceFile(MODEL_PATH, MODEL)]
    return run.profile(Manifest(**fields), files)  # type: ignore[arg-type]
