"""Run by ``-m package REPORT``."""

from .inner.tool import main

if __name__ == "__main__":
    main(__spec__.name, __package__, __file__)
