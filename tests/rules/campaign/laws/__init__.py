"""Tests of laws that hold of every campaign."""
