"""The rules of deckbuilding and campaigns, in pure Python.

``check_deck(deck, pool)`` judges a deck; ``read_deck`` reads one in ArkhamDB's JSON
format; ``embedded_pool()`` is the card pool shipped with the package. Nothing here
knows Django, a network or a database.
"""
