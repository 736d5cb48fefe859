"""What stands in for the chip, whether or not its tensors have values.

The device ``neuron`` as torch sees it, ``torch.neuron`` and ``torch_neuronx`` as scripts call them,
and the memory that the program would hold. Targets ``fake`` and ``virtual`` bring the tensors.
"""
