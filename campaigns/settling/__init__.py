"""What a scenario brings to each deck at the table."""
