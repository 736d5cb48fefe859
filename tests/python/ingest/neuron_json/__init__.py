"""Tests of the readers of Neuron's JSON and text."""
