"""What a forward pass is made of, a line each, in the mode that the argument names.

The weights are on the device beforehand; layers that torch takes a shorter way through where no
gradient is asked for are not among them.
"""

import sys

import torch
from torch import nn
from torch.nn import functional as F

MODES = {"grad": torch.enable_grad, "no_grad": torch.no_grad, "inference": torch.inference_mode}

NEURON = {"device": "neuron", "dtype": torch.bfloat16}
heads = torch.randn(2, 4, 32, 16, **NEURON)
rows = torch.randn(4, 32, 64, **NEURON)
image = torch.randn(2, 8, 14, 14, **NEURON)
tokens = torch.zeros(4, 32, dtype=torch.long, device="neuron")
weight = torch.ones(64, **NEURON)
kernel = torch.randn(16, 64, 3, **NEURON)
linear = nn.Linear(64, 96).to(**NEURON)
conv = nn.Conv2d(8, 16, 3).to(**NEURON)
norm = nn.BatchNorm2d(8).to(**NEURON)
recurrent = [layer(64, 32, batch_first=True).to(**NEURON) for layer in (nn.LSTM, nn.GRU, nn.RNN)]
embedding = nn.Embedding(100, 64).to(**NEURON)
attention = nn.MultiheadAttention(64, 4, batch_first=True).to(**NEURON)
encoder = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True).to(**NEURON)

with MODES[sys.argv[1]]():
    scores = heads @ heads.transpose(-1, -2)
    torch.matmul(rows, rows.transpose(1, 2))
    linear(rows)
    linear(rows[0, 0])
    F.scaled_dot_product_attention(heads, heads, heads, is_causal=True)
    F.scaled_dot_product_attention(heads, heads, heads, attn_mask=scores)
    attention(rows, rows, rows, need_weights=False)
    encoder(rows)
    conv(image)
    F.conv1d(rows.transpose(1, 2), kernel)
    norm(image)
    F.instance_norm(image)
    F.group_norm(image, 4)
    F.layer_norm(rows, (64,), weight, weight)
    F.rms_norm(rows, (64,), weight)
    F.softmax(scores, dim=-1)
    torch.einsum("bhqd,bhkd->bhqk", heads, heads)
    torch.tensordot(rows, linear.weight, dims=([2], [1]))
    torch.outer(rows[0, 0], rows[0, 0])
    torch.kron(rows[0, :4, :4], rows[0, :4, :4])
    torch.cdist(rows[0].float(), rows[1].float())
    F.cross_entropy(rows.view(-1, 64), torch.zeros(128, dtype=torch.long, device="neuron"))
    F.mse_loss(rows, rows)
    F.binary_cross_entropy_with_logits(rows, rows)
    F.cosine_similarity(rows, rows, -1)
    torch.linalg.norm(rows, dim=-1)
    F.normalize(rows, dim=-1)
    F.max_pool2d(image, 2)
    F.adaptive_avg_pool2d(image, 1)
    F.interpolate(image, scale_factor=2, mode="nearest")
    F.pad(image, (1, 1, 1, 1))
    F.unfold(image, 3)
    F.pixel_shuffle(image, 2)
    recurrent[0](rows)
    recurrent[1](rows)
    recurrent[2](rows)
    embedding(tokens)
    F.one_hot(tokens, 100)
    rows.repeat_interleave(2, dim=0)
    F.gelu(rows) * F.silu(rows)
    F.glu(rows)
    F.dropout(rows, 0.1, True)
    torch.chunk(rows, 2, -1)[0].contiguous()
    rows[:, :5].reshape(-1, 4)
    torch.stack([rows, rows]).flatten(0, 1)
    rows.to(torch.float32).var(-1)
    # What a program does with the result, which is a number or comes from one.
    assert rows.mean().item() != rows.mean().item()
    assert f"{float(rows[0, 0, 0]):.2f} {rows.sum():.2f}" == "nan nan"
    assert torch.tensor([1.0, 2.0], device="neuron").device.type == "neuron"
    assert torch.tensor([1.0]).to("neuron").shape == (1,)
