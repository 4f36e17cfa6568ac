"""Tests of reading ArkhamDB's card data."""
