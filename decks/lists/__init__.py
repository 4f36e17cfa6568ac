"""What a deck is as data, and how one change makes another list of it."""
