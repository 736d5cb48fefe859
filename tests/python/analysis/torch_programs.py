"""Programs whose kernels are worth knowing: what nests, is fused, runs again, or is the host's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_runs import at_line, torch

from sidelight.analysis.kernels import COMPILED_REGION

nn = torch.nn
functional = torch.nn.functional


def linear_layer() -> None:
    layer, source = nn.Linear(8, 16), torch.randn(4, 8)
    with at_line(10):
        result = layer(source)
    with at_line(11):
        result.sum().backward()


def rms_norm() -> None:
    weight = torch.ones(32, requires_grad=True)
    source = torch.randn(4, 32, requires_grad=True)
    with at_line(10):
        result = functional.rms_norm(source, (32,), weight)
    with at_line(11):
        result.sum().backward()


def fused_operators() -> None:
    source = torch.randn(2, 4, 16, 8, requires_grad=True)
    with at_line(10):
        attended = functional.scaled_dot_product_attention(source, source, source)
    with at_line(11):
        normal = functional.layer_norm(attended, (8,))
    with at_line(12):
        result = functional.softmax(normal, -1)
    with at_line(13):
        result.square().sum().backward()


def attention_in_pieces() -> None:
    """A mask that wants gradients keeps the CPU from its fused kernel."""
    source = torch.randn(2, 4, 16, 8, requires_grad=True)
    mask = torch.zeros(16, 16, requires_grad=True)
    with at_line(10):
        attended = functional.scaled_dot_product_attention(source, source, source, attn_mask=mask)
    with at_line(11):
        attended.square().sum().backward()


def views_and_copies() -> None:
    source = torch.randn(4, 6)
    with at_line(10):
        source.view(24).reshape(2, 12).unsqueeze(0).expand(3, 2, 12).transpose(0, 1)
    with at_line(11):
        source.to(torch.float32)
        source.contiguous()
    with at_line(12):
        source.to(torch.float64)
        source.t().contiguous()


def _two_steps(optimizer: Any, layer: Any) -> None:
    for _ in range(2):
        layer(torch.randn(2, 8)).sum().backward()
        with at_line(20):
            optimizer.step()
        with at_line(21):
            optimizer.zero_grad()


def loop_optimizer() -> None:
    layer = nn.Linear(8, 8)
    _two_steps(torch.optim.AdamW(layer.parameters(), foreach=False), layer)


def foreach_optimizer() -> None:
    layer = nn.Linear(8, 8)
    _two_steps(torch.optim.Adam(layer.parameters(), foreach=True), layer)


def fused_optimizer() -> None:
    layer = nn.Linear(8, 8)
    _two_steps(torch.optim.AdamW(layer.parameters(), fused=True), layer)


def momentum_optimizer() -> None:
    layer = nn.Linear(8, 8)
    _two_steps(torch.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9), layer)


def checkpoint() -> None:
    weight = torch.ones(32, requires_grad=True)

    def block(source: Any) -> Any:
        with at_line(9):
            return functional.rms_norm(functional.gelu(source), (32,), weight)

    source = torch.randn(4, 32, requires_grad=True)
    with at_line(10):
        result = torch.utils.checkpoint.checkpoint(block, source, use_reentrant=False)
    with at_line(11):
        result.sum().backward()


def reentrant_checkpoint() -> None:
    weight = torch.ones(32, requires_grad=True)

    def block(source: Any) -> Any:
        with at_line(9):
            return functional.rms_norm(functional.gelu(source), (32,), weight)

    source = torch.randn(4, 32, requires_grad=True)
    with at_line(10):
        result = torch.utils.checkpoint.checkpoint(block, source, use_reentrant=True)
    with at_line(11):
        result.sum().backward()


class Cubed(torch.autograd.Function):
    """A custom function whose backward is user code."""

    @staticmethod
    def forward(ctx: Any, source: Any) -> Any:
        ctx.save_for_backward(source)
        with at_line(1):
            return source * source * source

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (source,) = ctx.saved_tensors
        with at_line(2):
            return gradient * 3 * source * source


def custom_function() -> None:
    source = torch.randn(4, 8, requires_grad=True)
    with at_line(10):
        result = Cubed.apply(source)
    with at_line(11):
        result.sum().backward()


def double_backward() -> None:
    weight = torch.ones(16, requires_grad=True)
    source = torch.randn(4, 16, requires_grad=True)
    with at_line(10):
        result = functional.rms_norm(source, (16,), weight).pow(3).sum()
    with at_line(11):
        (gradient,) = torch.autograd.grad(result, source, create_graph=True)
    with at_line(12):
        gradient.square().sum().backward()


def gradient_scaler() -> None:
    layer = nn.Linear(8, 8)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    for _ in range(2):
        with torch.autocast("cpu", dtype=torch.bfloat16), at_line(10):
            loss = layer(torch.randn(2, 8)).float().square().mean()
        scaler.scale(loss).backward()
        with at_line(20):
            scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def _doubled(gradient: Any) -> Any:
    with at_line(5):
        return gradient * 2


def hooks() -> None:
    layer = nn.Linear(8, 8)
    source = torch.randn(4, 8, requires_grad=True)
    hidden = layer(source)
    hidden.register_hook(_doubled)
    functional.rms_norm(hidden, (8,)).sum().backward()


def models() -> None:
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    embedding = nn.Embedding(20, 16)
    convolution = nn.Conv1d(16, 16, 3, padding=1)
    normal = nn.BatchNorm1d(16)
    hidden = layer(embedding(torch.randint(0, 20, (2, 6))))
    hidden = normal(convolution(hidden.transpose(1, 2)))
    loss = functional.cross_entropy(hidden.flatten(1), torch.tensor([1, 2]))
    loss.backward()
    if loss.item() > 0:
        torch.topk(hidden, 2)


def compiled() -> None:
    """Two calls of one graph, forward and backward, beside eager work."""

    def graph(source: Any, weight: Any) -> Any:
        with at_line(20):
            scaled = source * 3
        with at_line(21):
            product = torch.relu(scaled + 1) @ weight
        with at_line(22):
            return product.exp() * 2

    weight = torch.ones(8, 8, requires_grad=True)
    for _ in range(2):
        with at_line(10):
            region = torch._C._profiler._RecordFunctionFast(COMPILED_REGION)
            with region:
                result = graph(torch.ones(4, 8), weight)
        with at_line(11):
            result.sum().backward()


PROGRAMS: tuple[Callable[[], None], ...] = (
    linear_layer,
    rms_norm,
    fused_operators,
    attention_in_pieces,
    views_and_copies,
    loop_optimizer,
    foreach_optimizer,
    fused_optimizer,
    momentum_optimizer,
    checkpoint,
    reentrant_checkpoint,
    custom_function,
    double_backward,
    gradient_scaler,
    hooks,
    models,
    compiled,
)
