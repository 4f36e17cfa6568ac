"""Guides kept here: imported, stored, opened, and who may use them."""
