"""What each page of a campaign shows, worked out from its log."""
