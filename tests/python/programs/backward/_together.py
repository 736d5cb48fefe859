"""Import the programs named on the command line, one after the other, in one run."""

import importlib
import sys

for program in sys.argv[1:]:
    importlib.import_module(program)
