"""Campaigns that began on paper, or are entered at a later scenario."""
