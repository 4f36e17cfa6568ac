"""Tests of the guides we wrote."""
