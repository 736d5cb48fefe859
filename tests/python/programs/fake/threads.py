"""Work on threads, and a profiler session of the program's own."""

import threading
from concurrent.futures import ThreadPoolExecutor

import torch


def work(number):
    model = torch.nn.Linear(256, 256)
    loss = model(torch.randn(4, 256)).sum()
    loss.backward()
    return loss.item(), model.weight.grad.shape


with ThreadPoolExecutor(4) as pool:
    for value, shape in pool.map(work, range(40)):
        assert value != value
        assert shape == (256, 256)


def decide():
    if torch.randn(1) > 0:
        pass


thread = threading.Thread(target=decide)
thread.start()
thread.join()
