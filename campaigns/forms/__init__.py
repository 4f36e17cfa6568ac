"""The forms of the campaigns app."""
