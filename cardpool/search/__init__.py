"""Which cards does a player ask for?"""
