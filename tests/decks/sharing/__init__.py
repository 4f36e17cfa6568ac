"""Tests of decks that are shown to others."""
