import torch

x = torch.ones(4, 8).to("neuron")  #= ops aten::_copy_from 1
w = torch.ones(8, 8, device="neuron", requires_grad=True)  #= ops aten::fill_ 1


def activated(h):
    return h.relu()  #= count 2; ops aten::relu 2, aten::threshold_backward 2; mixed; as activated


h = x
for _ in range(2):
    h = h @ w  #= count 2; ops aten::mm 5, aten::add 1; mixed
    h = activated(h)  #= count 2; total activated

loss = h.sum()  #= ops aten::sum 1
loss.backward()  #= ops aten::fill_ 1; launches
print(loss.item(), w.grad.tolist())  #= count 1; ops aten::_copy_from 1
torch.neuron.synchronize()
