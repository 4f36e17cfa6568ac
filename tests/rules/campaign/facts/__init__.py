"""Export the facts of every campaign from the field's guides and card records."""
