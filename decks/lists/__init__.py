"""A deck as data, and single changes of it."""
