"""The names of the rows that something which stands in for a device leaves in a recording."""

STAND_IN = "sidelight::stand_in"
"""The row in which an operator is answered: what is called in it is none of the program's."""

DISPATCH_MODE = "PythonDispatchMode"
"""The row that newer versions of torch have around that. Where an operator is taken apart, what it
is made of is in there too."""

ON_HOST = "sidelight::on_host"
"""The mark of an answer in which the device takes no part."""

STOPPED = "sidelight::stopped"
"""The mark in an operator that was stopped before it ran."""

SYNCHRONIZE = "sidelight::synchronize"
"""The row of what waits for the device: a call, or a copy to the host."""

COMPILED_REGION = "sidelight::compiled_region"
"""The row around one call of what is compiled, where no graph is written down: its operators are
recorded."""

KERNEL_PREFIX = "sidelight::kernel::"
"""Begins the name of the row of a kernel, in an answer; its predicted nanoseconds follow."""

LISTS_PREFIX = "sidelight::lists::"
"""Begins the name of the mark of an answer to an operator that was given lists of tensors; the
number of what was in them follows."""

STREAM_PREFIX = "sidelight::stream "
"""Begins the name of the mark of what a program does with streams: ``use STREAM``, ``wait STREAM``
(the host waits for it), ``record STREAM MOMENT``, ``hold STREAM MOMENT`` (the stream goes on no
earlier), ``await MOMENT``."""
