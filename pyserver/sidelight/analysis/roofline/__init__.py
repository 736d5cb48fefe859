"""Where work lies under the roofline: the roofs, and dots by operator, line and module."""
