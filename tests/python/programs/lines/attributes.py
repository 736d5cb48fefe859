"""Properties, descriptors, __getattr__ and overloaded operators call user lines unseen."""

import torch

a = torch.ones(4)  #= count 1


class Lazy:
    @property
    def scaled(self):
        return a * 2  #= count 3; ops aten::mul 3

    @scaled.setter
    def scaled(self, value):
        self.stored = value.neg()  #= count 1; ops aten::neg 1; as setter

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return a.exp()  #= count 2; ops aten::exp 2; as missing


lazy = Lazy()
lazy.scaled  #= count 1
lazy.scaled + lazy.scaled  #= count 1; ops aten::add 1
lazy.scaled = a  #= count 1; total setter
lazy.anything - getattr(lazy, "other")  #= count 1; ops aten::sub 1; total missing


class Descriptor:
    def __get__(self, instance, owner):
        return a.tanh()  #= count 2; ops aten::tanh 2; as descriptor


class Holder:
    value = Descriptor()


[Holder().value for _ in range(2)]  #= count 1; total descriptor


class Vector:
    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        return Vector(self.data + other.data)  #= count 3; ops aten::add 3

    def __matmul__(self, other):
        return (self.data * other.data).sum()  #= count 1; ops aten::mul 1, aten::sum 1; as matmul

    def __getitem__(self, index):
        return self.data.sqrt()  #= count 2; ops aten::sqrt 2; as item

    def __len__(self):
        return 2

    def __bool__(self):
        return bool(self.data.sin().any())  #= count 1; ops aten::sin 1; as truth

    def __call__(self, x):
        return x.neg()  #= count 1; ops aten::neg 1; as call


v = Vector(a)
v + v + v  #= count 1
v += v  #= count 1
v @ v  #= count 1; total matmul
for item in (v[0], v[1]):  #= count 1; total item
    pass
if v:  #= count 1; total truth
    v(a)  #= count 1; total call
