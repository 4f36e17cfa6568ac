"""API messages of decks and verdicts."""
