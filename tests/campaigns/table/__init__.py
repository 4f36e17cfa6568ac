"""Tests of the page of a table."""
