"""Template tags of the card pages."""
