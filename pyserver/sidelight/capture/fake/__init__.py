"""Target ``fake``: the script runs on tensors that have shapes, types and devices but no values.

torch's FakeTensorMode holds the tensors; the files here say what happens where a script asks for
more than that: a value, a device that is not there, a compiler, a file.
"""
