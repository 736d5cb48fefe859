"""A profile's headline figures, by the vendor's names: from its rows, else as its file has them."""
