"""Who is at a table, and what each of them may do."""
