"""The base of the API: its views, description, paging and idempotency."""
