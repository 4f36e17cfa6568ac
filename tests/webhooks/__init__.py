"""Webhooks: what is gathered, sent, shown, and refused."""
