"""A Trainer with callbacks, a user's own optimizer, a scheduler, and a sanity check first.

The validation before training calls the module more often than a short recording has steps.
"""

import sys

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

torch.manual_seed(0)


class SignDescent(torch.optim.Optimizer):
    def __init__(self, parameters, lr):
        super().__init__(parameters, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.add_(parameter.grad.sign(), alpha=-group["lr"])  #: update


class Callback:
    def on_step_end(self, trainer, loss):
        pass


class RunningLoss(Callback):
    def __init__(self):
        self.value = torch.zeros(())

    def on_step_end(self, trainer, loss):
        self.value = 0.9 * self.value + 0.1 * loss.detach()  #: callback


class Trainer:
    def __init__(self, model, callbacks):
        self.model = model
        self.callbacks = callbacks
        self.optimizer = SignDescent(model.parameters(), lr=0.01)
        self.scheduler = LambdaLR(self.optimizer, lambda step: 1 / (step + 1))

    @torch.no_grad()
    def validate(self, batches):
        self.model.eval()
        for _ in range(batches):
            self.model(torch.randn(4, 8)).mean()  #: validate
        self.model.train()

    def training_step(self):
        loss = self.model(torch.randn(4, 8)).square().mean()  #: loss
        self.optimizer.zero_grad(set_to_none=False)
        loss.backward()  #: backward
        self.optimizer.step()  #: step
        self.scheduler.step()
        return loss

    def fit(self, steps):
        self.validate(batches=6)
        for step in range(1, steps + 1):
            loss = self.training_step()
            for callback in self.callbacks:
                callback.on_step_end(self, loss)
            if step % 2 == 0:
                self.validate(batches=3)


if __name__ == "__main__":
    Trainer(nn.Linear(8, 1), [RunningLoss()]).fit(int(sys.argv[1]))
