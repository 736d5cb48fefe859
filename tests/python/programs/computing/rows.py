"""The operators that a profiler finds a program to call: those it calls on the CPU."""

from collections import Counter

import torch
from torch import nn
from torch.nn import functional

SUMMED = {"aten::add_": "aten::add"}
"""Autograd adds gradients up in place where nobody else has one, which it cannot tell here."""


def outermost(program):
    """How often each operator was called by no other: names with the shapes of its arguments."""
    with torch.profiler.profile(record_shapes=True) as recorded:
        program()
    found = Counter()
    for event in recorded.events():
        above = event.cpu_parent
        while above is not None and not above.name.startswith(("aten::", "sidelight::")):
            above = above.cpu_parent
        if event.name.startswith("aten::") and above is None:
            found[SUMMED.get(event.name, event.name), str(event.input_shapes)] += 1
    return found


def check_calls_are_those_of_the_cpu():
    for build in (transformer_step, picture_step, decoding, assorted):
        on_device, on_host = (outermost(build(device)) for device in ("neuron", "cpu"))
        assert on_device == on_host, (on_device - on_host, on_host - on_device)
        assert sum(on_device.values()) > 20


def transformer_step(device):
    block = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True).to(device)
    norm = nn.RMSNorm(16).to(device)
    optimizer = torch.optim.AdamW(block.parameters(), foreach=True)
    inputs = torch.randn(3, 7, 16).to(device)
    mask = nn.Transformer.generate_square_subsequent_mask(7, device=device)

    def step():
        norm(block(inputs, src_mask=mask)).square().mean().backward()
        nn.utils.clip_grad_norm_(block.parameters(), 1.0)
        optimizer.step()
        block.eval()
        with torch.no_grad():
            block(inputs)

    return step


def picture_step(device):
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, groups=2), nn.GroupNorm(2, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(8, 5),
    ).to(device)  # fmt: skip
    pictures, labels = torch.randn(4, 3, 16, 16).to(device), torch.randint(5, (4,)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, foreach=False)

    def step():
        for _ in range(2):
            optimizer.zero_grad()
            functional.cross_entropy(model(pictures), labels, label_smoothing=0.1).backward()
            optimizer.step()

    return step


def decoding(device):
    embedding, head = nn.Embedding(50, 32).to(device), nn.Linear(32, 50).to(device)
    project = nn.Linear(32, 96).to(device)

    @torch.no_grad()
    def decode():
        token = torch.zeros(1, 1, dtype=torch.int64, device=device)
        keys = values = torch.zeros(1, 4, 0, 8, device=device)
        for _ in range(4):
            parts = project(embedding(token)).view(1, 1, 3, 4, 8).permute(2, 0, 3, 1, 4)
            keys, values = torch.cat([keys, parts[1]], 2), torch.cat([values, parts[2]], 2)
            mixed = functional.scaled_dot_product_attention(parts[0], keys, values)
            logits = head(mixed.transpose(1, 2).flatten(2))[:, -1]
            kept = logits.masked_fill(logits < torch.topk(logits, 5).values[:, -1:], float("-inf"))
            token = torch.multinomial(torch.softmax(kept, -1), 1)

    return decode


def assorted(device):
    embedding = nn.Embedding(20, 8).to(device)
    tokens = torch.randint(20, (4, 5)).to(device)

    def run():
        hidden = functional.silu(embedding(tokens))
        hidden = hidden + functional.softmax(hidden, -1)
        hidden = torch.einsum("bij,bkj->bik", hidden, hidden)
        hidden = functional.layer_norm(hidden, (5,))
        functional.mse_loss(hidden, torch.zeros_like(hidden)).backward()
        with torch.no_grad():
            torch.where(hidden > 0, hidden, 0.0).masked_fill_(hidden > 1, 0.0)
            hidden.to(torch.bfloat16).float().clamp(0, 1).sum().item()
            torch.arange(5, device=device).repeat(2).sort()
            hidden[:, -1].argmax(-1)
            hidden.index_select(0, tokens[0, :2].clamp(max=3))
            hidden.expand(2, 4, 5, 5).contiguous().std(-1)

    return run


def check_the_cpus_work_is_within_one_row_an_answer():
    left = torch.ones(4, 4, device="neuron")
    with torch.profiler.profile() as recorded:
        left @ left
    answers = [event for event in recorded.events() if event.name == "sidelight::stand_in"]
    assert [event.cpu_parent.name for event in answers] == ["aten::mm"]
    assert {event.name for event in answers[0].cpu_children} == {"aten::mm"}


def check_what_only_looks_at_memory_is_answered_by_nobody():
    tensor = torch.ones(4, 4, device="neuron")
    with torch.profiler.profile() as recorded:
        tensor.t()[1:].view(-1, 4).unsqueeze(0).expand(2, 3, 4)
    assert not any(event.name == "sidelight::stand_in" for event in recorded.events())


def check_waiting_is_marked():
    tensor = torch.ones(4, device="neuron")
    for copy, waits in (
        (lambda: tensor.cpu(), True),
        (lambda: torch.empty(4).copy_(tensor), True),
        (lambda: tensor.to("cpu", non_blocking=True), False),
        (lambda: tensor.clone(), False),
        (lambda: tensor.copy_(torch.ones(4)), False),
    ):
        with torch.profiler.profile() as recorded:
            copy()
        # The profiler waits for the device too, once it is done.
        marks = [
            event
            for event in recorded.events()
            if event.name == "sidelight::synchronize" and event.cpu_parent is not None
        ]
        assert len(marks) == waits
