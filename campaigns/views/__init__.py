"""The pages of the campaigns app."""
