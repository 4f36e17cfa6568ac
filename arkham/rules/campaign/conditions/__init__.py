"""Decides which option a condition of a guide chooses."""
