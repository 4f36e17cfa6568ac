"""Tests of decks on the public API."""
