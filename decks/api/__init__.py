"""The API for decks: their legality, and the decks of an account."""
