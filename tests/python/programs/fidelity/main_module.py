"""What only works when the script really is ``__main__``. Usage: main_module.py REPORT"""

import concurrent.futures
import dataclasses
import json
import multiprocessing
import os
import pickle
import sys
import typing

import torch


@dataclasses.dataclass
class Setting:
    name: str
    value: "torch.Tensor"


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.full((2,), float(index))


def in_child(setting):
    return [__name__, setting.name, (setting.value * 2).tolist(), sys.argv[1:], sys.path[0]]


def into_queue(queue, setting):
    queue.put(in_child(setting))


if __name__ == "__main__":
    setting = Setting("scale", torch.ones(2))
    report = {
        "pickled_as": pickle.dumps(Setting, protocol=0).decode(),
        "round_trip": pickle.loads(pickle.dumps(setting)).name,
        "hints": repr(typing.get_type_hints(Setting)),
        "module": Setting.__module__,
    }
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue()
    process = spawn.Process(target=into_queue, args=(queue, setting))
    process.start()
    report["spawned"] = queue.get(timeout=120)
    process.join()
    report["spawn_exit"] = process.exitcode

    fork = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=fork) as pool:
        report["forked"] = pool.submit(in_child, setting).result(timeout=120)

    loader = torch.utils.data.DataLoader(Rows(), batch_size=2, num_workers=1)
    report["loaded"] = [batch.tolist() for batch in loader]

    child = os.fork()
    if child == 0:
        torch.ones(2) * 2
        os._exit(7)
    report["fork_exit"] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        json.dump(report, stream)
