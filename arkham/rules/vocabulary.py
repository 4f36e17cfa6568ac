"""The printed words of the game, and their order."""

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
    """What a card's text does, where deckbuilding options ask for it (FAQ 1.15)."""

    HEALS_HORROR = "heals-horror"
    HEALS_DAMAGE = "heals-damage"
    PARLEY = "parley"
    SEALS = "seals"
    FIREARM = "firearm"  # Firearm in the text box rather than as a trait
    EXILE = "exile"  # "exile" in the text box (Ultimatum of Exile)


class SignatureKind(StrEnum):
    """How a signature stands to the one listed on the investigator's back."""

    ORIGINAL = "original"
    REPLACEMENT = "replacement"
    ADVANCED = "advanced"


class BoxChoice(StrEnum):
    """What a box of an upgrade sheet asks its owner to write down."""

    TRAIT = "trait"
    SKILL = "skill"
    CARD = "card"
    SLOT = "slot"


class Mode(StrEnum):
    """How a deck is about to be played."""

    CAMPAIGN = "campaign"
    START = "start"
    STANDALONE = "standalone"


class Arrival(StrEnum):
    """How an investigator came into a campaign who did not begin with it."""

    NEWCOMER = "newcomer"  # joined later, or took over from another
    TRANSFERRED = "transferred"  # came on from another campaign
