"""What a tensor of the virtual device is and does, beside the CPU's."""

import os

import pytest
import torch

NEURON = torch.device("neuron", 0)


def same(device, host):
    assert device.device == NEURON
    assert host.device.type == "cpu"
    assert device.dtype == host.dtype
    assert device.shape == host.shape
    assert device.stride() == host.stride()
    assert torch.equal(device.cpu(), host)


def check_factories():
    for make in (
        lambda d: torch.zeros(2, 3, device=d),
        lambda d: torch.ones(2, 3, dtype=torch.bfloat16, device=d),
        lambda d: torch.full((2,), 7, device=d),
        lambda d: torch.arange(3, 9, 2, device=d),
        lambda d: torch.linspace(0, 1, 5, device=d),
        lambda d: torch.eye(3, device=d),
        lambda d: torch.tensor([[1.5, 2], [3, 4]], device=d),
        lambda d: torch.as_tensor([1, 2], device=d),
        lambda d: torch.tril_indices(3, 3, device=d),
        lambda d: torch.zeros(2, 3, device=d).new_ones(4),
        lambda d: torch.ones_like(torch.zeros(2, device=d)),
        lambda d: torch.zeros(2, 3, 4, 5, device=d).to(memory_format=torch.channels_last),
        lambda d: torch.scalar_tensor(3.0, device=d),
        lambda d: torch.hann_window(4, device=d),
    ):
        same(make("neuron"), make("cpu"))
    assert torch.empty(3, 4, device=NEURON).shape == (3, 4)
    assert torch.empty_strided((2, 3), (1, 2), device="neuron:0").stride() == (1, 2)
    with NEURON:
        assert torch.ones(2).device == NEURON
        assert torch.nn.Linear(2, 2).weight.device == NEURON
    torch.set_default_device("neuron")
    assert torch.ones(2).device == NEURON
    torch.set_default_device(None)


def check_it_is_a_plain_tensor():
    tensor = torch.ones(2, 3).neuron()
    assert type(tensor) is torch.Tensor
    assert tensor.is_neuron and not tensor.is_cpu
    assert tensor.untyped_storage().nbytes() == 24
    assert tensor.untyped_storage().device == NEURON
    assert type(torch.nn.Linear(2, 2).to("neuron").weight) is torch.nn.Parameter
    assert "device='neuron:0'" in repr(tensor)


def check_moves():
    host = torch.randn(3, 4)
    device = host.to("neuron")
    same(device, host)
    assert host.data_ptr() != device.data_ptr(), "it is a copy"
    assert device.to("neuron") is device
    assert device.to(NEURON, copy=True) is not device
    same(device.to(torch.float16), host.to(torch.float16))
    same(device.t().to("neuron", torch.float64), host.t().to(torch.float64))
    assert torch.equal(device.to("cpu", non_blocking=True), host)
    assert torch.equal(device.to("cpu", torch.int32), host.to(torch.int32))
    assert device.to("meta").device.type == "meta"
    into = torch.zeros(2, 3, 4)
    into.copy_(device)
    assert torch.equal(into, host.expand(2, 3, 4))
    device.copy_(torch.ones(4), non_blocking=True)
    same(device, torch.ones(3, 4))
    half = torch.zeros(3, 4, dtype=torch.float16, device="neuron").copy_(host)
    same(half, host.half())
    same(torch.empty(3, 4, device="neuron").t().copy_(host.t()), torch.empty(3, 4).t().copy_(host.t()))


def check_views_share_memory():
    def program(device):
        base = torch.arange(24.0, device=device).view(2, 3, 4)
        views = [
            base[1], base[:, ::2], base.transpose(0, 2), base.permute(1, 2, 0), base.view(6, 4),
            base.flatten(), base.unsqueeze(0), base.narrow(2, 1, 2), base.diagonal(dim1=1, dim2=2),
            base.unfold(2, 2, 1), base.as_strided((3, 2), (4, 1), 5), base.expand(5, 2, 3, 4),
            *base.split(2, dim=2), *base.unbind(1), base.view(torch.int32), base.select(0, 1).t(),
            base.movedim(0, 1), base.squeeze(), base.reshape(4, 6), base.detach(), base.mT,
        ]  # fmt: skip
        base.mul_(2)
        base[0, 0, :2] = torch.tensor([-1.0, -2.0])
        views[0].add_(1)
        views[2][3] = 7
        return [base, *views]

    for device, host in zip(program("neuron"), program("cpu")):
        same(device, host)
    base = torch.zeros(4, device="neuron")
    assert base[2:].data_ptr() == base.data_ptr() + 8
    assert base[2:]._base is base


def check_what_changes_a_tensors_shape():
    def program(device):
        tensor = torch.arange(6.0, device=device)
        tensor.resize_(2, 2)
        yield tensor.clone()
        tensor.resize_(3, 4)[1:] = 0
        yield tensor.clone()
        tensor.t_()
        yield tensor
        tensor.unsqueeze_(0).squeeze_(0).transpose_(0, 1)
        yield tensor
        other = torch.arange(4.0, device=device)
        other.set_(tensor)
        yield other
        other.set_(tensor.untyped_storage(), 1, (2, 2), (4, 1))
        yield other
        other.data = torch.ones(3, 3, device=device)
        yield other
        other.set_()
        yield other
        other.resize_as_(torch.empty(2, 3)).fill_(4)
        yield other
        yield tensor.as_strided_((2, 2), (1, 3))

    for device, host in zip(program("neuron"), program("cpu"), strict=True):
        same(device, host)
    grown = torch.arange(3.0, device="neuron")
    grown.resize_(100)
    assert grown[:3].tolist() == [0, 1, 2]


def check_results_that_are_given_room():
    def program(device):
        left = torch.arange(6.0, device=device).view(2, 3)
        for room in (torch.empty(0, device=device), torch.empty(2, 3, device=device),
                     torch.zeros(3, 2, device=device).t(), torch.empty(10, device=device)[:0]):  # fmt: skip
            assert torch.add(left, 1, out=room) is room
            yield room
        part = torch.zeros(4, 3, device=device)
        torch.mul(left, 2, out=part[1:3])
        yield part
        values, indices = torch.empty(0, device=device), torch.empty(0, dtype=torch.int64, device=device)
        torch.max(left, 1, out=(values, indices))
        yield from (values, indices)

    for device, host in zip(program("neuron"), program("cpu"), strict=True):
        same(device, host)
    with pytest.warns(UserWarning, match="was resized"):
        room = torch.ones(2, device="neuron")
        shared = room[:1]
        torch.add(torch.ones(50, device="neuron"), 1, out=room)
    assert room.tolist() == [2.0] * 50
    assert shared.tolist() == [1.0], "what shared the memory keeps it"
    with pytest.raises(RuntimeError, match="Expected out tensor to have device neuron:0, but got cpu"):
        torch.add(room, 1, out=torch.empty(50))


def check_complex_numbers():
    def program(device):
        torch.manual_seed(0)
        z = torch.randn(3, 3, dtype=torch.complex64).to(device)
        yield z.conj()
        yield z.conj().imag
        yield z.conj() @ z
        yield torch.vdot(z[0].conj(), z[1])
        yield (z * z.conj()).real
        yield torch.view_as_real(z)
        yield torch.view_as_complex(torch.view_as_real(z) * 2)
        yield torch.view_as_real(z.conj().resolve_conj())
        yield z.conj().clone()
        yield z.abs().add_(z.conj().imag)
        z.conj().imag.mul_(3)
        z.real.zero_()
        yield z

    for device, host in zip(program("neuron"), program("cpu"), strict=True):
        assert (device.is_conj(), device.is_neg()) == (host.is_conj(), host.is_neg())
        same(device, host)


def check_values_that_are_read():
    tensor = torch.tensor([[1.5, -2], [0, 4]], device="neuron")
    assert tensor.tolist() == [[1.5, -2], [0, 4]]
    assert tensor[0, 0].item() == 1.5 == float(tensor[0, 0])
    assert int(tensor[1, 1]) == 4
    assert f"{tensor[0, 0]:.3f}" == "1.500"
    assert bool(tensor.sum() > 3)
    assert [10, 20, 30, 40, 50][tensor[1, 1].int()] == 50
    assert tensor.equal(tensor.clone()) and not tensor.equal(tensor + 1)
    assert torch.allclose(tensor, tensor + 1e-9)
    assert repr(tensor.cpu()).replace(")", ", device='neuron:0')") == repr(tensor)
    assert tensor[tensor > 0].tolist() == [1.5, 4]
    assert torch.nonzero(tensor).tolist() == [[0, 0], [0, 1], [1, 1]]


def check_numpy_is_refused_as_by_a_device():
    tensor = torch.ones(2, device="neuron")
    with pytest.raises(TypeError, match="can't convert neuron:0 device type tensor to numpy"):
        tensor.numpy()
    with pytest.raises(TypeError, match="can't convert neuron:0"):
        __import__("numpy").asarray(tensor)
    assert tensor.cpu().numpy().sum() == 2


def check_devices_do_not_mix():
    device, host = torch.ones(3, 3, device="neuron"), torch.ones(3, 3)
    words = "Expected all tensors to be on the same device, but found at least two devices, neuron:0 and cpu!"
    for mix in (
        lambda: device + host,
        lambda: host + device,
        lambda: device @ host,
        lambda: torch.cat([device, host]),
        lambda: torch.where(device > 0, device, host),
        lambda: torch.nn.functional.linear(device, host),
        lambda: torch.nn.functional.embedding(torch.ones(1, dtype=torch.int64), device),
        lambda: device.add_(host),
    ):
        with pytest.raises(RuntimeError, match=words):
            mix()
    same(device + torch.tensor(2.0), host + 2)
    same(torch.tensor(2.0, dtype=torch.float64) * device, host * 2)
    same(device[torch.tensor([0, 2])], host[[0, 2]])
    device[torch.tensor([1])] = torch.tensor(5.0)
    assert device[1].tolist() == [5, 5, 5]


def check_indices_and_masks():
    def program(device):
        tensor = torch.arange(12.0, device=device).view(3, 4)
        index = torch.tensor([2, 0], device=device)
        yield tensor[index]
        yield tensor[:, None, index, ...]
        tensor[index, index] += 100
        tensor.index_put_((index,), torch.ones(4, device=device), accumulate=True)
        tensor.masked_fill_(tensor > 50, 0)
        yield tensor
        yield tensor.gather(1, index.expand(3, 2))
        yield tensor.scatter_add(0, index.expand(1, 2), torch.ones(1, 2, device=device))
        yield torch.take_along_dim(tensor, tensor.argsort(1), 1)
        yield from torch.topk(tensor, 2)
        yield torch.bincount(index)
        yield from torch.unique(tensor, return_inverse=True)

    for device, host in zip(program("neuron"), program("cpu"), strict=True):
        same(device, host)


def check_autocast_of_the_cpu_is_none_of_the_devices():
    model = torch.nn.Linear(3, 3).neuron()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert model(torch.ones(1, 3, device="neuron")).dtype is torch.float32
        assert torch.nn.Linear(3, 3)(torch.ones(1, 3)).dtype is torch.bfloat16
    with torch.autocast("neuron", dtype=torch.bfloat16):
        assert model(torch.ones(1, 3, device="neuron")).dtype is torch.bfloat16


def check_inference_mode():
    with torch.inference_mode():
        tensor = torch.ones(2, device="neuron") * 2
        assert tensor.is_inference() and tensor[0].is_inference()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        tensor.add_(1)


def check_jagged_tensors():
    parts = [torch.ones(2, 3), torch.ones(4, 3)]
    nested = torch.nested.nested_tensor(parts, layout=torch.jagged, device="neuron")
    assert nested.device == NEURON
    assert [part.shape[0] for part in (nested * 2).unbind()] == [2, 4]


def check_a_device_of_another_number_is_this_one_and_that_is_said_once(session):
    def told():
        return [note for note in session._notes.as_json() if note["code"] == "one_device"]

    torch.ones(2, device="neuron:0")
    os.environ["LOCAL_RANK"] = "1"
    try:
        assert torch.ones(2).to("neuron:1").device == NEURON
        assert told() == [], "a launcher gave that device to this process"
    finally:
        del os.environ["LOCAL_RANK"]
    assert torch.ones(2, device="neuron:1").device == NEURON
    assert torch.ones(2).to("neuron:2").device == NEURON
    (note,) = told()
    assert note["count"] == 1
    assert "`neuron:1`" in note["message"]


def check_operators_of_other_libraries():
    @torch.library.custom_op("sidelight_test::double", mutates_args=())
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    assert double(torch.ones(2, device="neuron")).tolist() == [2, 2]
    library = torch.library.Library("sidelight_test2", "DEF")
    library.define("second(Tensor(a) x) -> Tensor(a)")
    library.impl("second", lambda x: x[1], "CPU")
    tensor = torch.arange(3.0, device="neuron")
    torch.ops.sidelight_test2.second(tensor).fill_(9)
    assert tensor.tolist() == [0, 9, 2]


def check_tensors_without_memory_of_their_own_stay_on_the_host():
    tensor = torch.eye(3, device="neuron")
    for made in (
        tensor.to_sparse(),
        tensor.to_sparse_csr(),
        tensor.to_mkldnn(),
        torch.quantize_per_tensor(tensor, 0.1, 0, torch.qint8),
        torch._nested_tensor_from_mask(tensor[None], torch.tensor([[True] * 3], device="neuron")),
    ):
        assert made.device.type == "cpu"
    assert torch.quantize_per_tensor(tensor, 0.1, 0, torch.qint8).int_repr()[0, 0].item() == 10
