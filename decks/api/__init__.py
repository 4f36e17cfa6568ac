"""The API's doors to decks: their legality, and the decks one has."""
