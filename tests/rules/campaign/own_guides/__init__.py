"""Tests of our own guides."""
