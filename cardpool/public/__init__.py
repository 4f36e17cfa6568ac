"""The card pool in the format of ArkhamDB's public API, for clients of that site.

Its answers and differences are described in ``docs/public-api.md``.
"""
