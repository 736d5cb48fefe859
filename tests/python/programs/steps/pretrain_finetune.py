"""Pretraining with one optimizer, then fine-tuning with another."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
pretraining_steps, finetuning_steps = int(sys.argv[1]), int(sys.argv[2])
encoder, decoder = nn.Linear(8, 4), nn.Linear(4, 8)

pretrainer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
for _ in range(pretraining_steps):
    batch = torch.randn(4, 8)  #: pretrain_data
    loss = nn.functional.mse_loss(decoder(encoder(batch)), batch)  #: pretrain_loss
    pretrainer.zero_grad()
    loss.backward()  #: pretrain_backward
    pretrainer.step()  #: pretrain_step

head = nn.Linear(4, 2)  #: head
finetuner = torch.optim.SGD(head.parameters(), lr=1e-2)
for _ in range(finetuning_steps):
    features = encoder(torch.randn(4, 8)).detach()  #: finetune_features
    loss = nn.functional.cross_entropy(head(features), torch.tensor([0, 1, 0, 1]))  #: finetune_loss
    finetuner.zero_grad()
    loss.backward()  #: finetune_backward
    finetuner.step()  #: finetune_step
