"""The append-only log of a campaign: entries, their JSON, and the fold over them."""
