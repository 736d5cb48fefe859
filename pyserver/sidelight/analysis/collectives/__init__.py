"""The collectives of a run: how large they are, and how long they take."""
