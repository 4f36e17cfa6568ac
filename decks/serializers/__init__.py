"""How decks and verdicts are described to programs."""
