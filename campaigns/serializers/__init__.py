"""How the campaigns app is described to programs."""
