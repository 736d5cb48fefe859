"""Coroutines that give way in the middle of a line, interleaved by the event loop."""

import asyncio

import torch

a = torch.ones(4)  #= count 1


async def later(x):
    await asyncio.sleep(0)  #= no device time
    return x - 1  #= count 2; ops aten::sub 2


async def awaits_mid_line(x):
    y = (x * 2) + await later(x)  #= count 2; ops aten::mul 2, aten::add 2
    for _ in range(2):
        y = y * 1 + await asyncio.sleep(0, 1)  #= count 4; ops aten::mul 4, aten::add 4
    return y.neg()  #= count 2; ops aten::neg 2


async def stream(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield a.exp()  #= count 5; ops aten::exp 5


class Scope:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return a.tanh()  #= count 1; ops aten::tanh 1

    async def __aexit__(self, *exc):
        a.sqrt()  #= count 1; ops aten::sqrt 1
        await asyncio.sleep(0)
        a.sqrt()  #= count 1; ops aten::sqrt 1


async def main():
    await asyncio.gather(awaits_mid_line(a), awaits_mid_line(a))  #= no device time

    async for x in stream(3):  #= count 1
        x.neg()  #= count 3; ops aten::neg 3

    async with Scope() as scale:  #= count 1
        scale * 2  #= count 1; ops aten::mul 1

    halves = [x * 0.5 async for x in stream(2)]  #= count 1; ops aten::mul 2
    await asyncio.gather(  #= no device time
        *(asyncio.create_task(cancelled(delay)) for delay in (0, 0)),
        return_exceptions=True,
    )


async def cancelled(delay):
    try:
        await asyncio.sleep(delay)
        raise asyncio.CancelledError
    finally:
        a.sin()  #= count 2; ops aten::sin 2


asyncio.run(main())
