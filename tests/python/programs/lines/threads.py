"""The same line on several threads adds up; each thread's lines are its own."""

import concurrent.futures
import queue
import threading

import torch

a = torch.ones(4)  #= count 1


def work(n):
    for _ in range(n):
        a * 2  #= count 7; ops aten::mul 7
    tail(n)  #= count 3


def tail(n):
    return a - n  #= count 3; ops aten::sub 3


threads = [threading.Thread(target=work, args=(n,)) for n in (2, 4)]
for thread in threads:
    thread.start()  #= no device time
for thread in threads:
    thread.join()  #= no device time
work(1)  #= count 1


def pooled(n):
    return a.exp() + n  #= count 6; ops aten::exp 6, aten::add 6


with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:  #= no device time
    futures = [pool.submit(pooled, n) for n in range(4)]  #= no device time
    done = [future.result() for future in futures]  #= no device time
    list(pool.map(pooled, range(2)))  #= no device time

inbox: queue.Queue = queue.Queue()


class Consumer(threading.Thread):
    def run(self):
        while (item := inbox.get()) is not None:  #= no device time
            item.neg()  #= count 3; ops aten::neg 3


consumer = Consumer()
consumer.start()
for _ in range(3):
    inbox.put(a.tanh())  #= count 3; ops aten::tanh 3
inbox.put(None)
consumer.join()

torn = threading.local()


def timer_body():
    torn.value = a.sqrt()  #= count 1; ops aten::sqrt 1


timer = threading.Timer(0, timer_body)
timer.start()
timer.join()
