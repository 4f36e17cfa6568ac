"""Tests of the API for decks."""
