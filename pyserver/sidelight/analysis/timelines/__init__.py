"""The timeline of a profile: its windows, and what is told of what is in them."""
