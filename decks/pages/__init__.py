"""What each page of a deck shows, worked out from its verdict and revisions."""
