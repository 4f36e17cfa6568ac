"""Tests of campaigns kept by hand."""
