"""Tests of the pages of a campaign's log."""
