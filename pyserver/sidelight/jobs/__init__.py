"""Captures and readings in processes of their own: what the command line and the server share."""
