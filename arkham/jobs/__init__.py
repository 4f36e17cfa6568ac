"""Bulk work in the background: jobs, their chunks, and how they are followed."""
