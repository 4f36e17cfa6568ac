"""The contents of each page of a deck, computed from its verdict and revisions."""
