"""Settling scenarios: experience, cards, trauma and terms for each deck."""
