"""The pages of the decks app."""
