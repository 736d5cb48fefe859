"""A package to be run with -m."""

order = [__name__]
