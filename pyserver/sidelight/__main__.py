"""``python -m sidelight``: the same as the ``sidelight`` command."""

import os
import sys

# Python puts the working directory first on the path for -m: a file there that is called like a
# module of ours, or of a library of ours, must not be run.
if sys.path and os.path.abspath(sys.path[0]) == os.getcwd():
    del sys.path[0]

from sidelight.cli import main

sys.exit(main())
