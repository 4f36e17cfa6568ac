"""What people write about a deck."""
