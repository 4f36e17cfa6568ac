"""Tests of the page of a scenario that is played."""
