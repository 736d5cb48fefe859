"""A class body runs line by line, once, where it stands."""

import dataclasses

import torch

a = torch.ones(4)  #= count 1


class Constants:
    doubled = a * 2  #= count 1; ops aten::mul 1
    shifted = [  #= count 1; ops aten::add 2
        torch.add(a, i)
        for i in range(2)
    ]

    def method(self, scale=a.exp()):  #= count 1; ops aten::exp 1
        return scale - 1  #= count 2; ops aten::sub 2

    for _ in range(3):
        last = a.neg()  #= count 3; ops aten::neg 3

    class Inner:
        weight = a.sqrt()  #= count 1; ops aten::sqrt 1


constants = Constants()
constants.method()  #= count 1
constants.method()  #= count 1


def make_class(factor):
    class Local:
        weight = a * factor  #= count 2; ops aten::mul 2

        def __init_subclass__(cls):
            cls.scale = a.tanh()  #= count 1; ops aten::tanh 1; as subclass

    return Local


Base = make_class(1)  #= count 1
make_class(2)  #= count 1


class Child(Base):  #= count 1; total subclass
    pass


@dataclasses.dataclass
class Point:
    x: torch.Tensor
    y: torch.Tensor = dataclasses.field(default_factory=lambda: a.sin())  #= count 1; ops aten::sin 2

    def __post_init__(self):
        self.norm = self.x + self.y  #= count 2; ops aten::add 2


[Point(a) for _ in range(2)]  #= count 1
