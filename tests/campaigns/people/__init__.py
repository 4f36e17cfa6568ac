"""Tests of who sits at a table, and what they may do there."""
