"""Perfetto's trace format: protocol buffers, written field by field.

The numbers of fields are those of Perfetto's ``.proto`` files (``protos/perfetto/trace``).
"""
