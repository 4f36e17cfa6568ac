"""Random draws for a deck: opening hands, weaknesses, random decks and upgrades."""
