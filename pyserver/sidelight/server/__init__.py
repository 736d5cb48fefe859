"""The language server: one file a feature, and ``protocol.py``, the one place for messages."""
