"""Every way of running a line. `op()` stands for an operator; `#=` says the line's right answer.

`ops` is how many operators ran with the line innermost, `count` how often the statement was entered
while the recording ran.
"""

import asyncio
import contextlib
import functools
import threading
from concurrent.futures import ThreadPoolExecutor


def op(value=0):
    RECORDER.operator()
    return value


def plain():
    op()  #= ops 1 count 1
    x = op(1) + op(2)  #= ops 2 count 1
    return x + op()  #= ops 1 count 1


def over_lines():
    total = sum([  #= ops 3 count 1
        op(1),
        op(2)
        + op(3),
    ])
    value = (op(total)  #= ops 2 count 1
             if total else
             0) + \
        op()
    return value


def comprehensions():
    a = [op(i) for i in range(3)]  #= ops 3 count 1
    b = {op(i): op(i)  #= ops 4 count 1
         for i in range(2)}
    c = list(op(i) for i in a  #= ops 3 count 1
             if True)
    d = [op(j) for i in range(2) for j in [op(i)]]  #= ops 4 count 1
    return a, b, c, d


def lambdas():
    double = lambda x: op(x)  #= ops 2 count 1
    double(1)  #= ops 0 count 1
    double(2)  #= ops 0 count 1
    table = {  #= ops 0 count 1
        "a": lambda x: op(x),  #= ops 1 count 0
        "b": lambda x: op(x) + op(x),  #= ops 2 count 0
    }
    table["a"](1)  #= ops 0 count 1
    table["b"](1)  #= ops 0 count 1


def decorators():
    def twice(function):
        @functools.wraps(function)  #= ops 0 count 1
        def wrapper():
            function()  #= ops 0 count 1
            op()  #= ops 1 count 1
        return wrapper

    @twice  #= ops 0 count 1
    def body():
        op()  #= ops 1 count 1
    body()  #= ops 0 count 1


def closures():
    def outer(n):
        def inner():
            return op(n)  #= ops 2 count 2
        return inner
    f = outer(op(1))  #= ops 1 count 1
    f()  #= ops 0 count 1
    f()  #= ops 0 count 1


def generators():
    def numbers():
        for i in range(2):  #= ops 0 count 2
            got = (yield op(i)) or op()  #= ops 8 count 4
    first, second = numbers(), numbers()
    next(first)  #= ops 0 count 1
    next(second)  #= ops 0 count 1
    for _ in first:  #= ops 0 count 1
        op()  #= ops 1 count 1
    list(second)  #= ops 0 count 1


def delegation():
    def inner():
        yield op()  #= ops 1 count 1
        op()  #= ops 1 count 1
    def outer():
        op()  #= ops 1 count 1
        yield from inner()  #= ops 0 count 1
        op()  #= ops 1 count 1
    list(outer())  #= ops 0 count 1


def closed_early():
    def numbers():
        try:
            yield op()  #= ops 1 count 1
            yield op()
        finally:
            op()  #= ops 1 count 1
    g = numbers()
    next(g)  #= ops 0 count 1
    g.close()  #= ops 0 count 1


def coroutines():
    async def work(n):
        x = op(n) + await pause(n) + op()  #= ops 4 count 2
        return x
    async def pause(n):
        await asyncio.sleep(0)  #= ops 0 count 2
        return op(n)  #= ops 2 count 2
    async def main():
        await asyncio.gather(work(1), work(2))  #= ops 0 count 1
        async for _ in ticks():  #= ops 0 count 1
            op()  #= ops 2 count 2
        async with session():  #= ops 0 count 1
            op()  #= ops 1 count 1
    async def ticks():
        for _ in range(2):  #= ops 0 count 1
            yield op()  #= ops 2 count 2
    @contextlib.asynccontextmanager
    async def session():
        op()  #= ops 1 count 1
        yield
        op()  #= ops 1 count 1
    asyncio.run(main())  #= ops 0 count 1


class Managed:
    def __enter__(self):
        op()  #= ops 2 count 2

    def __exit__(self, *exception):
        op()  #= ops 2 count 2
        return True


@contextlib.contextmanager
def managed():
    op()  #= ops 1 count 1
    yield
    op()  #= ops 1 count 1


def context_managers():
    with Managed():  #= ops 0 count 1
        op()  #= ops 1 count 1
        raise ValueError  #= ops 0 count 1
    with Managed(), managed():  #= ops 0 count 1
        op()  #= ops 1 count 1


def recursion(n=3):
    op()  #= ops 4 count 4
    if n:  #= ops 0 count 4
        recursion(n - 1)  #= ops 0 count 3
    op()  #= ops 4 count 4


def exceptions():
    def fails():
        op()  #= ops 1 count 1
        raise KeyError(op())  #= ops 1 count 1
    try:
        fails()  #= ops 0 count 1
        op()
    except KeyError:
        op()  #= ops 1 count 1
    else:
        op()
    finally:
        op()  #= ops 1 count 1
    try:
        op()  #= ops 1 count 1
    except KeyError:
        op()
    else:
        op()  #= ops 1 count 1
    finally:
        op()  #= ops 1 count 1


class Overloaded:
    @property
    def value(self):
        return op()  #= ops 2 count 2

    def __add__(self, other):
        return op()  #= ops 1 count 1

    def __getattr__(self, name):
        return op()  #= ops 1 count 1


def properties():
    thing = Overloaded()
    thing.value + thing.value  #= ops 0 count 1
    thing + 1  #= ops 0 count 1
    thing.anything  #= ops 0 count 1


def called_by_c():
    partial = functools.partial(lambda a, b: op(a), 1)  #= ops 1 count 1
    partial(2)  #= ops 0 count 1
    sorted([3, 1], key=lambda x: op(x))  #= ops 2 count 1
    list(map(op, [1, 2]))  #= ops 2 count 1


def loops():
    for i in range(op(3)):  #= ops 1 count 1
        op()  #= ops 3 count 3
    for i in range(2): op()  #= ops 2 count 1
    n = 2
    while op(n):  #= ops 3 count 1
        n -= 1  #= ops 0 count 2
    while True:
        n += op(1)  #= ops 3 count 3
        if n >= 3:  #= ops 0 count 3
            break
    numbers = iter(range(3))
    try:
        while True:
            next(  #= ops 4 count 4
                numbers if op(1) else None
            )
    except StopIteration:
        pass


def one_line():
    op(); op()  #= ops 2 count 1
    if op(1): op()  #= ops 2 count 1


def threads():
    def work():
        op()  #= ops 3 count 3
    started = [threading.Thread(target=work) for _ in range(2)]
    for thread in started:
        thread.start()  #= ops 0 count 2
    for thread in started:
        thread.join()  #= ops 0 count 2
    with ThreadPoolExecutor(1) as pool:  #= ops 0 count 1
        pool.submit(work).result()  #= ops 0 count 1


def generated():
    space = {"op": op}
    exec("def made():\n    op()\n    op()\n", space)  #= ops 0 count 1
    space["made"]()  #= ops 2 count 1

def compiled():
    def before_break():
        op()  #= ops 1 count 1
        torch_dynamo_resume_in_before_break_at_2()  #= ops 0 count 1

    # The rest of a function behind a graph break: no line calls it, and its first line is no line.
    def torch_dynamo_resume_in_before_break_at_2(): op(); \
        op()  #= ops 1 count 1

    before_break()  #= ops 1 count 1
    RECORDER.spans.compiled(graph_and_rest.__code__)
    graph_and_rest()  #= ops 1 count 1


def graph_and_rest(): op(); \
    op()  #= ops 1 count 1


def running(recorder):
    """The recording starts and ends while these frames run."""
    op(begin(recorder) or 1)  #= ops 1 count 0
    for subject in SUBJECTS:
        subject()
    class Local:
        value = op()  #= ops 1 count 1
    recorder.stop()
    op()


def begin(recorder):
    recorder.start()


SUBJECTS = [
    plain, over_lines, comprehensions, lambdas, decorators, closures, generators, delegation,
    closed_early, coroutines, context_managers, recursion, exceptions, properties, called_by_c,
    loops, one_line, threads, generated, compiled,
]
