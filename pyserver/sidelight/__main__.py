"""``python -m sidelight``: the same as the ``sidelight`` command."""

import sys

from sidelight.cli import main

sys.exit(main())
