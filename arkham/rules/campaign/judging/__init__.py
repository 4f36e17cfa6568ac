"""Judges an entry before it is written into a log: everything that is wrong with it."""
