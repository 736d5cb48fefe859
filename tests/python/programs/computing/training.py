"""Models in training on the virtual device: each loss is the CPU's, to the bit."""

import torch
from torch import nn
from torch.nn import functional

STEPS = 4


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(32, 16)
        self.block = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.1, batch_first=True)
        self.norm = nn.RMSNorm(16)
        self.head = nn.Linear(16, 32)

    def forward(self, tokens):
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], device=tokens.device)
        hidden = self.block(self.tokens(tokens), src_mask=mask, is_causal=True)
        return self.head(self.norm(hidden))


def picture_model():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.SiLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, groups=4, stride=2), nn.GroupNorm(2, 8), nn.GELU(),
        nn.ConvTranspose2d(8, 4, 2), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(0.2),
        nn.Linear(16, 5),
    )  # fmt: skip


def losses(device, build, batch, optimizer_of, foreach=None, steps=STEPS):
    torch.manual_seed(0)
    model = build().to(device)
    inputs, targets = (each.to(device) for each in batch())
    keywords = {} if foreach is None else {"foreach": foreach}
    optimizer = optimizer_of(model.parameters(), **keywords)
    found = []
    for _ in range(steps):
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = functional.cross_entropy(outputs.flatten(0, -2), targets.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        found.append(loss.item())
    return found


def tokens():
    return torch.randint(32, (3, 7)), torch.randint(32, (3, 7))


def pictures():
    return torch.randn(4, 3, 12, 12), torch.randint(5, (4,))


def check_losses_are_the_cpus():
    for build, batch in ((Attention, tokens), (picture_model, pictures)):
        for foreach in (False, True):
            for optimizer in (
                lambda parameters, **k: torch.optim.SGD(parameters, 0.1, momentum=0.9, **k),
                lambda parameters, **k: torch.optim.AdamW(parameters, 1e-2, **k),
                lambda parameters, **k: torch.optim.Adam(parameters, 1e-2, amsgrad=True, **k),
                lambda parameters, **k: torch.optim.RMSprop(parameters, 1e-2, **k),
                lambda parameters, **k: torch.optim.Adagrad(parameters, 1e-2, **k),
            ):
                on_device = losses("neuron", build, batch, optimizer, foreach)
                on_host = losses("cpu", build, batch, optimizer, foreach)
                assert on_device == on_host, (build, foreach, on_device, on_host)
                assert len(set(on_device)) == STEPS, "it learns"


def check_fused_optimizers():
    for optimizer in (
        lambda parameters: torch.optim.AdamW(parameters, 1e-2, fused=True),
        lambda parameters: torch.optim.SGD(parameters, 1e-2, momentum=0.9, fused=True),
    ):
        assert losses("neuron", Attention, tokens, optimizer) == losses(
            "cpu", Attention, tokens, optimizer
        )


def check_other_optimizers():
    for name in ("Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD", "Adafactor"):
        kind = getattr(torch.optim, name)
        on_device = losses("neuron", picture_model, pictures, kind, foreach=False, steps=2)
        assert on_device == losses("cpu", picture_model, pictures, kind, foreach=False, steps=2)


def check_foreach_is_what_a_device_is_trained_with():
    optimizer = torch.optim.AdamW([torch.ones(2, device="neuron", requires_grad=True)])
    optimizer.param_groups[0]["params"][0].sum().backward()
    with torch.autograd.profiler.profile() as recorded:
        optimizer.step()
    names = {event.name for event in recorded.function_events}
    assert "aten::_foreach_addcdiv_" in names
    assert "aten::addcdiv_" not in {
        event.name for event in recorded.function_events if not inside_answer(event)
    }


def inside_answer(event):
    while event is not None:
        if event.name == "sidelight::stand_in":
            return True
        event = event.cpu_parent
    return False


def check_an_encoder_is_told_of_padding_at_the_end():
    """The CPU nests such sequences, and has zeros where there is padding."""
    found = []
    for device in ("neuron", "cpu"):
        torch.manual_seed(0)
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        encoder = nn.TransformerEncoder(layer, 2).eval().to(device)
        padded = torch.arange(5, device=device) >= torch.tensor([[3], [5]], device=device)
        inputs = torch.randn(2, 5, 16).to(device)
        with torch.no_grad():
            outputs = encoder(inputs, src_key_padding_mask=padded)
        assert outputs.device.type == device
        found.append(outputs[~padded].cpu())
    torch.testing.assert_close(*found)


def check_recurrent_layers():
    """torch has other kernels for them on the CPU, so that they round differently."""
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        for keywords in ({}, {"num_layers": 2, "bidirectional": True}, {"bias": False}):
            found = []
            for device in ("neuron", "cpu"):
                torch.manual_seed(0)
                layer = kind(4, 6, batch_first=True, **keywords).to(device)
                inputs = torch.randn(3, 5, 4).to(device).requires_grad_()
                packed = nn.utils.rnn.pack_padded_sequence(
                    inputs, torch.tensor([5, 3, 2]), batch_first=True
                )
                whole, _ = layer(inputs)
                parts, _ = nn.utils.rnn.pad_packed_sequence(layer(packed)[0])
                (whole.square().sum() + parts.square().sum()).backward()
                found.append([whole, parts, inputs.grad, *(p.grad for p in layer.parameters())])
            for on_device, on_host in zip(*found, strict=True):
                assert on_device.device.type == "neuron"
                torch.testing.assert_close(on_device.cpu(), on_host)
            cell = {nn.LSTM: nn.LSTMCell, nn.GRU: nn.GRUCell, nn.RNN: nn.RNNCell}[kind](4, 6).neuron()
            cell(torch.ones(2, 4, device="neuron"))


def check_mixed_precision():
    torch.manual_seed(0)
    model = nn.Linear(4, 1).neuron()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scaler = torch.amp.GradScaler("neuron", init_scale=8.0, growth_interval=1)
    with torch.autocast("neuron", dtype=torch.float16):
        loss = model(torch.ones(2, 4, device="neuron")).sum()
    before = model.bias.item()
    scaler.scale(loss).backward()
    assert model.bias.grad.item() == 16
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 16
    assert abs(before - model.bias.item() - 0.2) < 1e-6
