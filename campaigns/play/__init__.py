"""A scenario during play: its bag, counters, notes and locations."""
