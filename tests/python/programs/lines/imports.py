"""Work at import is on the imported module's lines, below the import's line."""

import torch

from library import second_file  #= count 1
from library.second_file import negate  #= no device time

negate(second_file.weight)  #= count 1
second_file.negate(second_file.scaled)  #= count 1


def imports_inside():
    from library import late  #= count 2; total late
    return late.value + 1  #= count 2; ops aten::add 2


imports_inside()  #= count 1
imports_inside()  #= count 1
