"""Reads and writes decks and circumstances."""
