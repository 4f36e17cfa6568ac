"""Bulk work in the background: jobs, their chunks, and their progress."""
