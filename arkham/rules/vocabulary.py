"""The printed vocabulary of the game, in printed order; and a check for digits."""

from __future__ import annotations

from enum import StrEnum


class CardClass(StrEnum):
    """The five classes, in printed order; a card without one is neutral."""

    GUARDIAN = "guardian"
    SEEKER = "seeker"
    ROGUE = "rogue"
    MYSTIC = "mystic"
    SURVIVOR = "survivor"


class CardType(StrEnum):
    """The printed card types of player and scenario cards."""

    INVESTIGATOR = "investigator"
    ASSET = "asset"
    EVENT = "event"
    SKILL = "skill"
    TREACHERY = "treachery"
    ENEMY = "enemy"
    LOCATION = "location"
    ENEMY_LOCATION = "enemy_location"
    STORY = "story"
    ACT = "act"
    AGENDA = "agenda"
    SCENARIO = "scenario"
    KEY = "key"


class WeaknessKind(StrEnum):
    """Basic weaknesses are drawn at random; the others are signatures or story."""

    BASIC = "basic"
    OTHER = "other"


class Tag(StrEnum):
    """An effect in a card's text for which deckbuilding options ask (FAQ 1.15)."""

    HEALS_HORROR = "heals-horror"
    HEALS_DAMAGE = "heals-damage"
    PARLEY = "parley"
    SEALS = "seals"
    FIREARM = "firearm"  # Firearm in the text, not as a trait
    EXILE = "exile"  # "exile" in the text (Ultimatum of Exile)


class SignatureKind(StrEnum):
    """How a signature relates to the one listed on the investigator's back."""

    ORIGINAL = "original"
    REPLACEMENT = "replacement"
    ADVANCED = "advanced"


class BoxChoice(StrEnum):
    """The kind of entry that a line of an upgrade sheet asks for."""

    TRAIT = "trait"
    SKILL = "skill"
    CARD = "card"
    SLOT = "slot"


class Mode(StrEnum):
    """How a deck is going to be played."""

    CAMPAIGN = "campaign"
    START = "start"
    STANDALONE = "standalone"


class Arrival(StrEnum):
    """How an investigator who didn't begin a campaign joined it."""

    NEWCOMER = "newcomer"  # joined later, or replaced another investigator
    TRANSFERRED = "transferred"  # came from another campaign


def is_digits(text: str, most: int | None = None) -> bool:
    """Return True if a text is only ASCII digits, ``most`` of them at the most."""
    return text.isascii() and text.isdigit() and (most is None or len(text) <= most)
