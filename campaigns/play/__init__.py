"""A scenario while it is played: its bag, counters, notes and locations."""
