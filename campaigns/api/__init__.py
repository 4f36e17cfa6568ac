"""The API of the campaigns app."""
