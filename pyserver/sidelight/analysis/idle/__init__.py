"""When the device had nothing to do, what it waited for, and which line is behind it."""
