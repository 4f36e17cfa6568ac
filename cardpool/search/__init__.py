"""The search language: finds the cards a player asks for."""
