"""Random numbers of the virtual device: the CPU's, from the same seeds."""

import torch
from torch import nn

DRAWS = (
    lambda **given: torch.rand(5, **given),
    lambda **given: torch.randn(3, 4, **given),
    lambda **given: torch.randint(10, (6,), **given),
    lambda **given: torch.randperm(7, **given),
)


def check_seeds():
    for seed in (torch.manual_seed, torch.neuron.manual_seed, torch.neuron.manual_seed_all):
        for draw in DRAWS:
            seed(5)
            on_device = draw(device="neuron")
            torch.manual_seed(5)
            assert torch.equal(on_device.cpu(), draw())


def check_in_place_draws():
    for fill in ("normal_", "uniform_", "exponential_", "bernoulli_", "random_", "log_normal_"):
        torch.manual_seed(1)
        on_device = getattr(torch.empty(9, device="neuron"), fill)()
        torch.manual_seed(1)
        assert torch.equal(on_device.cpu(), getattr(torch.empty(9), fill)())
    weights = torch.tensor([0.1, 0.4, 0.5])
    torch.manual_seed(1)
    on_device = torch.multinomial(weights.neuron(), 20, replacement=True)
    torch.manual_seed(1)
    assert torch.equal(on_device.cpu(), torch.multinomial(weights, 20, replacement=True))


def check_generators():
    generator = torch.Generator(device="neuron")
    assert isinstance(generator, torch.Generator)
    assert generator.device == torch.device("neuron", 0)
    assert generator.manual_seed(3) is generator
    assert generator.initial_seed() == 3
    host = torch.Generator().manual_seed(3)
    assert type(host) is type(torch.default_generator)
    assert isinstance(torch.default_generator, torch.Generator)
    for draw in DRAWS:
        assert torch.equal(draw(device="neuron", generator=generator).cpu(), draw(generator=host))
    state = generator.get_state()
    drawn = torch.rand(3, device="neuron", generator=generator)
    generator.set_state(state)
    assert torch.equal(drawn, torch.rand(3, device="neuron", generator=generator))


def check_states():
    torch.manual_seed(2)
    state = torch.neuron.get_rng_state()
    drawn = torch.rand(3, device="neuron")
    torch.neuron.set_rng_state(state)
    assert torch.equal(drawn, torch.rand(3, device="neuron"))
    with torch.random.fork_rng(device_type="neuron"):
        torch.rand(3, device="neuron")


def check_modules_are_built_alike():
    models = []
    for device in ("neuron", "cpu"):
        torch.manual_seed(0)
        models.append(nn.TransformerEncoderLayer(8, 2, 16, device=device))
    for on_device, on_host in zip(*(model.parameters() for model in models)):
        assert torch.equal(on_device.cpu(), on_host)
