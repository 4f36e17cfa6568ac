"""The guides stored here: imported, opened, and who may use them."""
