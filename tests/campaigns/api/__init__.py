"""Tests of campaigns by API."""
