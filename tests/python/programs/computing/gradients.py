"""Autograd on the virtual device, beside the CPU's."""

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


def both(program):
    """What a program gives on either device, which has to be the same."""
    results = []
    for device in ("neuron", "cpu"):
        torch.manual_seed(0)
        results.append([result.detach() for result in program(device)])
    for on_device, on_host in zip(*results, strict=True):
        assert on_device.device.type == "neuron"
        assert torch.equal(on_device.cpu(), on_host)


def leaf(device, *shape):
    return torch.randn(*shape).to(device).requires_grad_()


def check_gradients():
    def program(device):
        x, w, b = leaf(device, 4, 3), leaf(device, 5, 3), leaf(device, 5)
        hidden = functional.gelu(functional.linear(x, w, b))
        loss = functional.layer_norm(hidden, (5,)).softmax(-1)[:, 2].log().sum()
        loss.backward()
        return [loss, x.grad, w.grad, b.grad]

    both(program)


def check_gradients_add_up():
    def program(device):
        x = leaf(device, 4)
        for _ in range(3):
            (x * x).sum().backward()
        view = x.detach().view(2, 2).requires_grad_()
        (view[0] * view[1] + view.t()[0]).sum().backward()
        return [x.grad, view.grad]

    both(program)


def check_in_place_work_under_autograd():
    def program(device):
        x = leaf(device, 4)
        y = x * 2
        y[1:].mul_(3)
        y.relu_()
        y.sum().backward()
        return [x.grad, y]

    both(program)
    x = torch.ones(2, device="neuron", requires_grad=True)
    y = x.exp()
    y.add_(1)
    try:
        y.sum().backward()
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error)
    else:
        raise AssertionError


def check_double_backward():
    def program(device):
        x = leaf(device, 3)
        (first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
        second.sum().backward()
        return [first, second, x.grad]

    both(program)


def check_functions_of_the_programs_own():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.save_for_backward(x)
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return gradient * ctx.factor + x * 0, None

    def program(device):
        x = leaf(device, 3)
        Scaled.apply(x, 4.0).sum().backward()
        return [x.grad]

    both(program)


def check_hooks():
    seen = []
    x = torch.ones(2, device="neuron", requires_grad=True)
    x.register_hook(lambda gradient: seen.append(gradient.device.type) or gradient * 2)
    x.register_post_accumulate_grad_hook(lambda tensor: seen.append(tensor.grad.tolist()))
    model = nn.Linear(2, 1).neuron()
    model.register_forward_hook(lambda module, inputs, output: seen.append(output.device.type))
    model.register_full_backward_hook(lambda module, into, out: seen.append(out[0].device.type))
    model(x * 1).sum().backward()
    assert seen[:2] == ["neuron", "neuron"]
    assert seen[2] == "neuron"
    assert seen[3] == (model.weight.detach()[0] * 2).tolist()


def check_checkpoints():
    def program(device):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 2)).to(device)
        x = leaf(device, 3, 4)
        for reentrant in (False, True):
            torch.manual_seed(1)
            checkpoint(model, x, use_reentrant=reentrant).sum().backward()
        return [x.grad, *(parameter.grad for parameter in model.parameters())]

    both(program)


def check_attention():
    def program(device):
        for masked, causal, heads in ((False, True, 4), (True, False, 4), (False, False, 2)):
            q, k, v = leaf(device, 2, 4, 6, 8), leaf(device, 2, heads, 6, 8), leaf(device, 2, heads, 6, 8)
            mask = (torch.rand(6, 6) > 0.3).to(device) if masked else None
            mixed = functional.scaled_dot_product_attention(
                q, k, v, attn_mask=mask, is_causal=causal, enable_gqa=heads != 4
            )
            mixed.square().sum().backward()
            yield from (mixed, q.grad, k.grad, v.grad)
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            yield functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
        with torch.inference_mode():
            plain = [torch.randn(1, 2, 3, 4).to(device) for _ in range(3)]
            yield functional.scaled_dot_product_attention(*plain, scale=0.3)

    both(program)


def check_dropout_draws_what_it_does_on_the_cpu():
    def program(device):
        x = leaf(device, 100)
        torch.manual_seed(3)
        for probability in (0.0, 0.1, 0.37, 0.5, 1.0):
            x.grad = None
            y = functional.dropout(x, probability)
            (y * y).sum().backward()
            yield from (y, x.grad.clone())
        yield functional.dropout(x, 0.3, training=False)
        (first,) = torch.autograd.grad(functional.dropout(x * x, 0.3).sum(), x, create_graph=True)
        first.sum().backward()
        yield x.grad

    both(program)


def check_transforms_of_functions():
    def program(device):
        x = leaf(device, 3, 4)
        weight = torch.randn(4, 4).to(device)

        def loss(row):
            return torch.tanh(row @ weight).square().sum()

        yield torch.func.vmap(torch.func.grad(loss))(x)
        yield torch.func.jacrev(torch.func.grad(loss))(x[0])
        yield torch.func.jacfwd(loss)(x[0])
        yield from torch.func.jvp(loss, (x[0],), (torch.ones(4, device=device),))
        model = nn.Linear(4, 2).to(device)
        named = {name: value * 2 for name, value in model.named_parameters()}
        yield torch.func.functional_call(model, named, (x,))

    both(program)
    samples = torch.ones(2, 3, device="neuron")
    drawn = torch.func.vmap(lambda row: row + torch.rand_like(row), randomness="different")(samples)
    assert drawn.device.type == "neuron"
    x = torch.tensor(2.0, device="neuron", dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: x.sin() * x, (x,))
