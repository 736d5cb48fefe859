"""Turns profiles into files for other programs and people: one file a format.

Every writer takes a :class:`sidelight.export.source.Source` and an open binary file, so that
nothing is held whole; :func:`sidelight.export.whole_file.whole_file` puts the file in its place.
"""
