"""The contents of each page of a campaign, computed from its log."""
