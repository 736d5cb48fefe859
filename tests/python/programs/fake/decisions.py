"""Decides by values: each decision stops the script on its own line, unless it is caught."""

import sys
import traceback

import torch

x = torch.randn(4, requires_grad=True)


def decide(kind):
    if kind == "if":
        if x.sum() > 3:
            return
    if kind == "bool":
        bool(x[0])
    if kind == "while":
        while not x.isnan().any():
            return
    if kind == "assert":
        assert torch.isfinite(x).all()
    if kind == "equal":
        torch.equal(x, x)
    if kind == "bincount":
        torch.bincount(x.long())
    if kind == "slice":
        x[: x.argmax()]
    if kind == "range":
        range(x.argmax())
    if kind == "function":
        Deciding.apply(x)


class Deciding(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x if x.sum() else -x


KINDS = "if bool while assert equal bincount slice range function".split()

if len(sys.argv) == 1:
    for kind in KINDS:
        try:
            decide(kind)
        except RuntimeError:
            print("kind", kind, file=sys.stderr)
            traceback.print_exc()
    sys.exit()

model = torch.nn.Linear(4, 4)
for _ in range(3):
    model(x).sum().backward()
decide(sys.argv[1])
