"""Date formats in English."""
