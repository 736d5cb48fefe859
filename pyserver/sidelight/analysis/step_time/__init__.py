"""What a step's time went to, and whether the host or the device had it wait."""
