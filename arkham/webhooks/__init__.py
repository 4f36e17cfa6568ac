"""Webhooks: what changed in an account, sent to its owner's own programs."""
