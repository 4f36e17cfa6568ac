"""Tests of the life of a deck: games, upgrades, the desk, the ledger."""
