"""Runs recorded by the Arkham Cards app, read and compared."""
