"""Pure functions from a profile to numbers: whose time it is, and how much."""
