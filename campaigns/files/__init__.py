"""Campaigns as files: our own format, and backups of the Arkham Cards app."""
