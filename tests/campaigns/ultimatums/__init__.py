"""Tests of the ultimatums and boons of a table."""
