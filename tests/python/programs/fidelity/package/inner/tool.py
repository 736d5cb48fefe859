"""Run by ``-m package.inner.tool REPORT``, with relative imports."""

import json
import sys
import traceback

import torch

from .. import order
from . import values


def main(name, package, file):
    report = {
        "name": name,
        "package": package,
        "file": file,
        "argv": sys.argv,
        "path": sys.path,
        "order": order,
        "value": (torch.ones(1) * values.VALUE).item(),
        "stack": traceback.format_stack(),
    }
    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        json.dump(report, stream)


if __name__ == "__main__":
    main(__spec__.name, __package__, __file__)
