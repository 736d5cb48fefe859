"""What is known about the chips: their figures with sources, the roofline, the time of an operator.

It needs the standard library only and imports its own modules relatively, because the user's
interpreter loads it too, under a private package name.
"""
