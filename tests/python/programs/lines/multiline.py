"""Statements over several lines show at their first line and count once per entry."""

import torch

a = torch.ones(4)  #= count 1
b = torch.ones(4)  #= count 1

parenthesised = (  #= count 1; ops aten::mul 1, aten::add 1
    a * b
    + b
)

#= count 1; ops aten::mul 1, aten::sub 1
continued = a * b \
    - b


def double(x):
    return x * 2  #= count 4; ops aten::mul 4; as double


def nested(x):
    return torch.add(  #= count 2; ops aten::add 2, aten::neg 2; total double; as nested
        double(
            x,
        ),
        torch.neg(
            double(x)),
    )


for _ in range(2):
    result = nested(  #= count 2; total nested, double
        a,
    )

chained = (  #= count 1; ops aten::mul 1, aten::add 1, aten::neg 1
    a.mul(b)
    .add(b)
    .neg()
)

literal = {  #= count 1; ops aten::mul 1, aten::sub 1
    "product": a * b,
    "difference": a
    - b,
}

if (  #= count 1; ops aten::mul 1, aten::sum 2
    (a * b).sum()
    > 100
    or b.sum()
    > 1
):
    inside = a + b  #= count 1; ops aten::add 1

assert (  #= count 1; ops aten::sub 1, aten::sum 1
    (a - b).sum()
    == 0
), "differ"


def default_on_its_own_line(  #= count 1; ops aten::add 1
    x,
    shift=a
    + 1,
):
    return (  #= count 1; ops aten::sub 1
        x
        - shift
    )


default_on_its_own_line(a)  #= count 1

text = f"""  {a.neg().shape}  """  #= count 1; ops aten::neg 1
