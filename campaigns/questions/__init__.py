"""The questions of a guide as form fields, and the answers read from them."""
