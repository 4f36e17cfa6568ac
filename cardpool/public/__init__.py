"""The card pool as ArkhamDB's public API has it, for clients written for that site.

What it answers, and on what it differs, is in ``docs/public-api.md``.
"""
