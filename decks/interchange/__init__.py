"""Decks and accounts in other formats: import and export."""
