"""Tables of a profile for people: operators, lines, modules, kernels and tensors."""
