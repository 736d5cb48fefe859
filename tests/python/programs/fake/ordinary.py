"""What ordinary scripts do; a comment tells how many rows a line is given at most."""

import math

import numpy
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import rnn
from torch.optim import LBFGS

# Numbers that the script says itself are known.
scale = torch.tensor([0.5, 2.0])
assert int(scale[1] * 64) == 128
rates = torch.linspace(0, 0.3, 4)
assert [round(rate.item(), 6) for rate in rates] == [0.0, 0.1, 0.2, 0.3]
assert torch.full((3,), 0.5).add(1).tolist() == [1.5, 1.5, 1.5]
assert torch.eye(3).sum().item() == 3
assert torch.tensor([torch.tensor(2), torch.tensor(3)]).tolist() == [2, 3]
point = torch.tensor([1.0, 2.0], requires_grad=True)
solver = LBFGS([point])


def distance():
    solver.zero_grad()
    loss = (point**2).sum()
    loss.backward()
    return loss


solver.step(distance)
assert point.norm().item() < 1e-3

# What is computed from others is not, or no longer.
norm = nn.BatchNorm1d(3)
norm(torch.randn(4, 3))
assert math.isnan(norm.running_mean.sum().item())
weights = [nn.Parameter(torch.zeros(3)) for _ in range(3)]
assert weights[0].tolist() == [0.0] * 3
(sum(weight.sum() for weight in weights) * torch.randn(())).backward()
torch.optim.SGD(weights, lr=0.1, foreach=True).step()
assert math.isnan(weights[0].sum().item())
assert math.isnan(scale[torch.randn(2).long()].sum().item())

# Results that have as many rows as values say.
x = torch.randn(4, 6)
mask = x > 0
assert x[mask].shape == (24,)  # at most 24
assert x[mask[:, 0]].shape == (4, 6)  # at most 4
assert mask.nonzero().shape == (24, 2)  # at most 24
assert [index.shape for index in torch.where(mask)] == [(24,), (24,)]  # at most 24
assert x.masked_select(mask[0]).shape == (24,)  # at most 24
assert torch.unique(x).shape == (24,)  # at most 24
assert [part.shape[0] for part in torch.unique(x, dim=0, return_counts=True)] == [4, 4]  # at most 4
x[mask] = x[mask] * 2  # at most 24
assert x[torch.tensor([True, False, True, False])].shape == (2, 6)
assert torch.tensor([0, 1, 1]).nonzero().tolist() == [[1], [2]]

# Numbers that are tensors, and tensors for others.
assert torch.tensor([x[0, 0], 2.0]).dtype == torch.float32
assert torch.tensor([[x[0, 0].half(), 1], [2, 3]]).dtype == torch.float16
assert torch.as_tensor([x[0, 0].long(), x[0, 1].long()]).shape == (2,)
assert numpy.from_dlpack(x).shape == (4, 6)
assert numpy.isnan(numpy.from_dlpack(x)).all()
assert torch.from_dlpack(torch.utils.dlpack.to_dlpack(x)).shape == (4, 6)
generator = torch.Generator(device="neuron").manual_seed(1)
assert torch.randn(3, device="neuron", generator=generator).shape == (3,)

for device in ("cpu", "neuron"):
    # Layers that get their shape when they are called.
    lazy = nn.Sequential(nn.LazyLinear(8), nn.LazyBatchNorm1d(), nn.LazyLinear(2)).to(device)
    lazy(torch.randn(4, 6, device=device)).sum().backward()
    assert type(lazy[0]) is nn.Linear
    assert lazy[0].weight.grad.shape == lazy[0].weight.shape == (8, 6)
    assert isinstance(lazy[0].weight, nn.Parameter)
    assert lazy[1].running_mean.device.type == device

    # Recurrent layers, of padded and of packed sequences.
    padded = torch.randn(4, 5, 16, device=device, requires_grad=True)
    for layer in (nn.LSTM, nn.GRU, nn.RNN):
        recurrent = layer(16, 8, num_layers=2, bidirectional=True, batch_first=True).to(device)
        result, _ = recurrent(padded)
        result.sum().backward()
        assert recurrent.weight_hh_l1_reverse.grad is not None
        for lengths in ([5, 4, 2, 2], torch.tensor([5, 4, 2, 2])):
            packed = rnn.pack_padded_sequence(padded, lengths, batch_first=True)
            assert packed.data.shape == (13, 16)
            assert packed.batch_sizes.tolist() == [4, 4, 2, 2, 1]
            result, found = rnn.pad_packed_sequence(recurrent(packed)[0], batch_first=True)
            result.sum().backward()
            assert result.shape == (4, 5, 16)
            assert found.tolist() == [5, 4, 2, 2]
    for cell in (nn.LSTMCell, nn.GRUCell, nn.RNNCell):
        made = cell(16, 8).to(device)
        result = made(padded[:, 0])
        (result[0] if cell is nn.LSTMCell else result).sum().backward()
        assert made.weight_hh.grad.device.type == device
    unsorted = rnn.pack_padded_sequence(padded, [2, 5, 3, 4], True, enforce_sorted=False)
    assert rnn.pad_packed_sequence(unsorted, batch_first=True)[0].shape == (4, 5, 16)
    scores = torch.randn(50, 4, 20, device=device, requires_grad=True)
    targets = torch.randint(1, 20, (4, 30), device=device)
    for lengths in ((50,) * 4, torch.full((4,), 50), torch.full((4,), 50, device=device)):
        F.ctc_loss(scores.log_softmax(2), targets, lengths, (10, 20, 30, 10)).backward()
    assert scores.grad.shape == scores.shape
    window = torch.hann_window(64, device=device)
    spectrum = torch.stft(torch.randn(2, 400, device=device), 64, window=window, return_complex=True)
    assert torch.istft(spectrum, 64, window=window).shape == (2, 400)

    # Transformers, which look at their masks.
    tokens = torch.randn(2, 12, 64, device=device)
    causal = nn.Transformer.generate_square_subsequent_mask(12).to(device)
    padding = torch.zeros(2, 12, dtype=torch.bool, device=device)
    transformer = nn.Transformer(64, 4, 1, 1, 128, batch_first=True).to(device)
    options = {"tgt_mask": causal, "src_key_padding_mask": padding}
    transformer(tokens, tokens, **options).mean().backward()
    transformer.eval()
    with torch.no_grad():
        assert transformer(tokens, tokens, **options).shape == tokens.shape
    assert transformer.encoder(tokens, mask=causal).shape == tokens.shape
