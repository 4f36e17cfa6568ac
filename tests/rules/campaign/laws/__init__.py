"""Laws that hold for every campaign."""
