"""Helpers of the tests of campaigns: small guides, random tables, single scenes."""
