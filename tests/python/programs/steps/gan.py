"""A GAN as in the WGAN paper: the critic steps five times for each step of the generator."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
critic = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
critic_optimizer = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
generator_optimizer = torch.optim.RMSprop(generator.parameters(), lr=5e-5)

for epoch in range(int(sys.argv[1])):
    for _ in range(5):
        critic_optimizer.zero_grad()
        real = torch.randn(4, 8)  #: data
        fake = generator(torch.randn(4, 4)).detach()  #: fake
        critic_loss = critic(fake).mean() - critic(real).mean()  #: critic_loss
        critic_loss.backward()  #: critic_backward
        critic_optimizer.step()  #: critic_step
        for parameter in critic.parameters():
            parameter.data.clamp_(-0.01, 0.01)  #: clip
    generator_optimizer.zero_grad()
    generator_loss = -critic(generator(torch.randn(4, 4))).mean()  #: generator_loss
    generator_loss.backward()  #: generator_backward
    generator_optimizer.step()  #: generator_step
