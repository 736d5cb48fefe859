"""Takes the device that is there, as portable programs do; or asks for CUDA, if told to."""

import sys

import torch

if sys.argv[1:] == ["cuda"]:
    torch.ones(2).cuda()
device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(4, 4).to(device)
model(torch.ones(2, 4, device=device)).sum().backward()
