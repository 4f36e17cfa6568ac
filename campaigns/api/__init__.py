"""The doors for programs of the campaigns app."""
