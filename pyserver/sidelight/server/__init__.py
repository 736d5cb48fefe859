"""The language server: one file a feature, and ``protocol/``, the one place for messages."""
