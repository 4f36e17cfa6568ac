"""The state of a campaign: its log, its investigators, its bag, its answers."""
