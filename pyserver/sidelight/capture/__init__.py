"""The capture agent: runs in the user's interpreter and records their script.

It needs nothing there but the standard library and torch, and is loaded under a private package
name, so that it never meets another installation of Sidelight. ``startup/`` says how it gets in.
"""
