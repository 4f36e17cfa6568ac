"""Tests of what a campaign brings decks, and takes of them."""
