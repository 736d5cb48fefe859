"""Reads Perfetto's traces: the slices and counters of their track events.

The numbers of fields are those of Perfetto's own definition, in ``protos/perfetto/trace``.
"""
