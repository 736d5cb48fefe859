"""What of a core's capacity was used for what."""
