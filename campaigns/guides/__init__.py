"""Guides kept here: brought, stored, opened, and who may use them."""
