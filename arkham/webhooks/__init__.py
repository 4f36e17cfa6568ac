"""Webhooks: changes in an account, sent to its owner's own programs."""
