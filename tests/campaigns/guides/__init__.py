"""Tests of guides that are kept here."""
