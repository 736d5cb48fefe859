"""The virtual device in forked children and on other threads."""

import os
import threading

import pytest
import torch


def check_threads():
    found = []

    def work(seed):
        x = torch.full((50, 50), float(seed), device="neuron", requires_grad=True)
        (x @ x).sum().backward()
        found.append((seed, x.grad[0, 0].item()))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(seed, 100.0 * seed) for seed in range(8)]


def check_a_forked_child_is_refused(session):
    used = torch.ones(2, device="neuron")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        session.forked()
        words = [str(torch.neuron._is_in_bad_fork()), str(torch.ones(2).sum().item())]
        for use in (lambda: used + 1, lambda: torch.ones(2, device="neuron")):
            try:
                use()
            except RuntimeError as error:
                words.append(str(error))
        os.write(writing, "\n".join(words).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as file:
        words = file.read().splitlines()
    assert words[:2] == ["True", "2.0"]
    assert len(words) == 4
    assert all(word.startswith("Cannot re-initialize Neuron runtime in forked subprocess") for word in words[2:])
    assert all("torchrun" in word for word in words[2:]), "what helps where no device is real"
    assert used.sum().item() == 2, "the parent goes on"


def check_one_warning_for_64_bits():
    with pytest.warns(UserWarning, match="computed in 32 bits") as warned:
        torch.arange(3, device="neuron")
        torch.ones(3, dtype=torch.float64, device="neuron")
    assert len(warned) == 1
    assert warned[0].filename == __file__
