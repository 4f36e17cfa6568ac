"""How are decks and circumstances written down, and read back?"""
