"""Applies the effects of a guide to the state of a campaign."""
