"""``torch.compile`` where the device is a NeuronCore, or something that stands in for one.

What a compiled graph is made of is known when it is compiled, and written down once; each of its
executions is then one row of the recording.
"""
