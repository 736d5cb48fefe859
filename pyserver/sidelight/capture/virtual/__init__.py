"""The device ``neuron`` where there is none: its tensors have values, which the CPU computes.

Everything here runs only where it was asked for: importing the package registers nothing.
"""
