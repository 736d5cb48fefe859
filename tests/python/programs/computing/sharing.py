"""Memory that results share with arguments, whether or not schemas say so."""

import torch


def check_looks_take_no_memory():
    tensor = torch.zeros(4, 6, device="neuron")
    held = torch.neuron.memory_allocated()
    for look in (
        lambda: tensor[1:],
        lambda: tensor.view(3, 8),
        lambda: tensor.reshape(3, 8),
        lambda: tensor.detach(),
        lambda: tensor.contiguous(),
        lambda: tensor.to("neuron"),
        lambda: tensor.t().flatten(0, 0),
        lambda: tensor.unflatten(1, (2, 3)),
        lambda: torch.unsafe_split(tensor, 2)[1],
        lambda: torch.unsafe_chunk(tensor, 2)[0],
        lambda: torch.ops.aten._unsafe_view(tensor, [24]),
        lambda: tensor.data,
        lambda: torch.nn.functional.dropout(tensor, 0.5, training=False),
        lambda: tensor.resolve_conj(),
        lambda: tensor.view(torch.int32),
        lambda: torch.nn.Parameter(tensor),
        lambda: torch.utils.swap_tensors(torch.zeros(0, device="neuron"), torch.zeros(0)),
    ):
        looked_at = look()
        assert torch.neuron.memory_allocated() == held, look
        del looked_at


def check_products_of_many_dimensions_take_their_memory_once():
    left, right = torch.ones(2, 3, 4, device="neuron"), torch.ones(4, 5, device="neuron")
    held = torch.neuron.memory_allocated()
    product = left @ right
    assert torch.neuron.memory_allocated() - held == product.numel() * 4
