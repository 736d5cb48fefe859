"""Reads folders of profiles: Neuron's sessions, traces of several ranks, and what lies beside."""
