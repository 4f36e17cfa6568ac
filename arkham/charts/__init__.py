"""Numbers → geometry → SVG. Pure: no Django, no files."""
