"""Forms of the decks app."""
