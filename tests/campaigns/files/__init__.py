"""Tests of a campaign as a file."""
