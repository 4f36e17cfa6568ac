"""Tests of backups of the field's app."""
