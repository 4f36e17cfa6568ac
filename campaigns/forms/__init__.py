"""What the pages of the campaigns app ask."""
