"""What the API stands on: its views, its description, paging and idempotency."""
