"""The people of a table, and what each of them may do."""
