# ruff: noqa: E501 (tables align)
"""The ultimatums, boons and refractions, and their effects.

This is the only table of them: decks are judged, campaigns played, bags set up and
hands drawn by it. What an entry does to a deck, bag, experience, trauma or roster is
enforced by the code named in ``by``; the rest is shown when it matters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from arkham.rules.finding import Citation, faq
from arkham.rules.finding import gettext_noop as _


class UltimatumKind(StrEnum):
    """The printed kind of an entry; a refraction is one of the two."""

    ULTIMATUM = "ultimatum"
    BOON = "boon"


class Touch(StrEnum):
    """An area of the game that an entry changes."""

    DECKS = "decks"
    WEAKNESSES = "weaknesses"
    BAG = "bag"
    EXPERIENCE = "experience"
    TRAUMA = "trauma"
    ROSTER = "roster"
    SETUP = "setup"
    PLAY = "play"


class UltimatumMoment(StrEnum):
    """When an entry matters, and is shown."""

    DECKS = "decks"  # while decks are built
    CAMPAIGN = "campaign"  # while the campaign is set up
    BEFORE = "before"  # before each game
    SETUP = "setup"  # while a game is set up
    PLAY = "play"
    DEFEAT = "defeat"  # when an investigator is (about to be) defeated
    END = "end"  # after a game
    UPGRADES = "upgrades"  # while decks are changed
    ROSTER = "roster"  # when an investigator is replaced


class UltimatumEffect(StrEnum):
    """An effect of an entry, named for the code; most are flags, some are amounts."""

    LEVEL_0_ONLY = "level_0_only"  # for the cards in decks
    NO_EXPERIENCE = "no_experience"  # none is earned, granted or spent
    ONE_OF_EACH_TITLE = "one_of_each_title"
    FOLLOWS_TABOOS = "follows_taboos"  # for every deck
    EXILE_IN_CAMPAIGNS = "exile_in_campaigns"  # cards with exile, only there
    MORE_WEAKNESSES = "more_weaknesses"  # how many more a deck requires
    LOSES_ALLIES = "loses_allies"  # defeated unique allies leave every deck
    NO_SUCCESSORS = "no_successors"  # after death or insanity
    DRAWN_BEFORE_GAMES = "drawn_before_games"  # one more before each game
    FATAL_DEFEATS = "fatal_defeats"  # if by damage or horror
    WEAKNESS_FOR_DEFEAT = "weakness_for_defeat"
    EXPERIENCE_FOR_DEFEAT = "experience_for_defeat"  # the amount
    EXPERIENCE_AT_START = "experience_at_start"  # the additional amount
    WEAKNESS_OF_THREE = "weakness_of_three"  # one of three that are drawn is used
    MYTHOS_FIRST = "mythos_first"  # the first round has a Mythos phase
    HARD_SIDE = "hard_side"  # of reference cards, at every difficulty


_Does = UltimatumEffect


@dataclass(frozen=True, slots=True)
class Ultimatum:
    """An ultimatum, boon or refraction.

    ``touched`` has letters of :data:`LETTERS`, ``shown`` values of
    :class:`UltimatumMoment` separated by spaces. ``by`` names what enforces it: ids of
    rules, and functions of ``arkham.rules``. ``builds`` means that it affects
    deckbuilding or bag building, and is never drawn for a single game (ULT-50);
    ``touches_decks`` that it changes how a deck list is judged. ``effects`` are what
    the code asks about, with their amounts (1 for a flag). ``campaign`` and
    ``scenarios`` are ids of the guides to which a refraction belongs.
    """

    id: str
    name: str
    row: str
    touched: str
    shown: str
    effect: str
    by: tuple[str, ...] = ()
    campaign_only: bool = False
    builds: bool = False
    touches_decks: bool = False
    effects: Mapping[UltimatumEffect, int] = field(default_factory=dict, hash=False)
    campaign: str = ""
    scenarios: tuple[str, ...] = ()

    @property
    def kind(self) -> UltimatumKind:
        """Ultimatum or boon, by its printed name."""
        return (
            UltimatumKind.BOON
            if self.name.startswith("Boon")
            else UltimatumKind.ULTIMATUM
        )

    @property
    def is_refraction(self) -> bool:
        """True if it belongs to one campaign (ULT-00c)."""
        return bool(self.campaign)

    @property
    def touches(self) -> tuple[Touch, ...]:
        """The areas of the game that it changes."""
        return tuple(LETTERS[letter] for letter in self.touched)

    @property
    def moments(self) -> tuple[UltimatumMoment, ...]:
        """The moments at which it is shown."""
        return tuple(UltimatumMoment(word) for word in self.shown.split())

    @property
    def cites(self) -> tuple[Citation, ...]:
        """The section of the FAQ that prints it."""
        return (faq(self.name),)


# The letters of the rule book; – means “display only”.
LETTERS = {
    "D": Touch.DECKS, "W": Touch.WEAKNESSES, "B": Touch.BAG, "X": Touch.EXPERIENCE,
    "T": Touch.TRAUMA, "L": Touch.ROSTER, "S": Touch.SETUP, "–": Touch.PLAY,
}  # fmt: skip
_SET_UP = ("campaign.effects.ultimatums.put_in",)
_DEFEATED = ("campaign.effects.ultimatums.defeated",)
_HANDS = ("draws.opening.TABLE_ROWS",)
_RESOURCES = ("draws.setup.TABLE_RESOURCES",)
_SUFFERED = ("campaign.effects.personal.can_give_trauma",)

# fmt: off
ULTIMATUMS: dict[str, Ultimatum] = {
    each.id: each
    for each in (
        Ultimatum("agony", "Ultimatum of Agony", "ULT-01", "–", "play", _("Damage and horror go to one card, as much as it can take, before another takes any.")),
        Ultimatum("broken-promises", "Ultimatum of Broken Promises", "ULT-02", "B", "campaign", _("The elder sign token is removed from the chaos bag."), _SET_UP, builds=True),
        Ultimatum("broken-veil", "Ultimatum of the Broken Veil", "ULT-03", "–", "play", _("A weakness discarded from the top of a deck is shuffled back into it.")),
        Ultimatum("chaos", "Ultimatum of Chaos", "ULT-04", "D", "decks", _("Cards of a starting deck are drawn at random from all allowed cards, except signatures and weaknesses."), ("draws.decks.random_deck",), builds=True, touches_decks=True),
        Ultimatum("disaster", "Ultimatum of Disaster", "ULT-05", "DW", "decks", _("Each deck requires one more random basic weakness."), ("weakness.required",), builds=True, touches_decks=True, effects={_Does.MORE_WEAKNESSES: 1}),
        Ultimatum("dread", "Ultimatum of Dread", "ULT-06", "S", "setup", _("The first round begins with its Mythos phase."), effects={_Does.MYTHOS_FIRST: 1}),
        Ultimatum("failure", "Ultimatum of Failure", "ULT-07", "B", "campaign", _("Add another auto-fail token to the chaos bag."), _SET_UP, builds=True),
        Ultimatum("finality", "Ultimatum of Finality", "ULT-08", "T", "defeat end", _("An investigator defeated by damage is killed; one defeated by horror is driven insane."), _DEFEATED, campaign_only=True, effects={_Does.FATAL_DEFEATS: 1}),
        Ultimatum("forbidden-knowledge", "Ultimatum of Forbidden Knowledge", "ULT-09", "S", "setup", _("Draw 1 fewer card for your opening hand."), _HANDS),
        Ultimatum("hardship", "Ultimatum of Hardship", "ULT-10", "S", "setup", _("Each investigator begins with 2 fewer resources."), _RESOURCES),
        Ultimatum("highlander", "Ultimatum of the Highlander", "ULT-11", "D", "decks upgrades", _("A deck has only 1 copy of each title, except weaknesses and required copies."), ("ultimatum.highlander",), builds=True, touches_decks=True, effects={_Does.ONE_OF_EACH_TITLE: 1}),
        Ultimatum("induction", "Ultimatum of Induction", "ULT-12", "DX", "decks end upgrades", _("Only level 0 cards; investigators don’t earn or spend experience."), ("ultimatum.induction", "upgrade.induction", "campaign.effects.people.earn"), campaign_only=True, builds=True, touches_decks=True, effects={_Does.LEVEL_0_ONLY: 1, _Does.NO_EXPERIENCE: 1}),
        Ultimatum("orthodoxy", "Ultimatum of Orthodoxy", "ULT-13", "DX", "decks upgrades", _("Every deck follows the taboo list."), ("ultimatum.orthodoxy",), builds=True, touches_decks=True, effects={_Does.FOLLOWS_TABOOS: 1}),
        Ultimatum("scream", "Ultimatum of The Scream", "ULT-14", "DL", "play end upgrades", _("When a unique ally you control is defeated, all its copies leave every deck after the game."), ("ultimatum.scream", "answer.banished", "campaign.effects.ultimatums.banish"), campaign_only=True, touches_decks=True, effects={_Does.LOSES_ALLIES: 1}),
        Ultimatum("survival", "Ultimatum of Survival", "ULT-15", "TL", "roster", _("A player whose investigator is killed or driven insane is out of the campaign."), ("roster.survival",), campaign_only=True, effects={_Does.NO_SUCCESSORS: 1}),
        Ultimatum("ultimatums", "Ultimatum of Ultimatums", "ULT-16", "L", "before", _("Before each game, draw a random ultimatum or boon for it, but none that affects deckbuilding or the chaos bag."), ("oath.drawn",), campaign_only=True, builds=True, effects={_Does.DRAWN_BEFORE_GAMES: 1}),
        Ultimatum("exile", "Ultimatum of Exile", "ULT-17", "D", "decks", _("Cards that mention exile are for campaigns only."), ("mode.campaign-only",), builds=True, touches_decks=True, effects={_Does.EXILE_IN_CAMPAIGNS: 1}),
        Ultimatum("spiral", "Ultimatum of the Spiral", "ULT-18", "WD", "end upgrades", _("Each defeat adds a random basic weakness to that deck."), _DEFEATED, campaign_only=True, effects={_Does.WEAKNESS_FOR_DEFEAT: 1}),
        Ultimatum("malevolence", "Ultimatum of Malevolence", "ULT-19", "BS", "setup play", _("At Easy and Standard, use the hard side of the reference cards."), ("chaos.starting.symbols_of", "oath.difficulty"), effects={_Does.HARD_SIDE: 1}),
        Ultimatum("ancients", "Boon of the Ancients", "ULT-20", "XD", "decks", _("Each investigator begins the campaign with 5 extra experience."), ("start.experience",), campaign_only=True, builds=True, touches_decks=True, effects={_Does.EXPERIENCE_AT_START: 5}),
        Ultimatum("athena", "Boon of Athena", "ULT-21", "–", "play", _("You may cancel the first auto-fail token you reveal each game, return it and reveal another.")),
        Ultimatum("destiny", "Boon of Destiny", "ULT-22", "S", "setup", _("Each investigator takes a card from their deck before drawing their opening hand, which is still drawn in full."), _HANDS),
        Ultimatum("hades", "Boon of Hades", "ULT-23", "S", "setup", _("Each investigator begins with 2 extra resources."), _RESOURCES),
        Ultimatum("hermes", "Boon of Hermes", "ULT-24", "–", "play", _("Each investigator has an extra action each turn, which can only be used to move.")),
        Ultimatum("thoth", "Boon of Thoth", "ULT-25", "S", "setup", _("Draw 1 extra card for your opening hand."), _HANDS),
        Ultimatum("osiris", "Boon of Osiris", "ULT-26", "T", "defeat end", _("The first time in a scenario you would be defeated, suffer the trauma, heal all damage and horror, and take none until your next turn."), _SUFFERED),
        Ultimatum("morrigan", "Boon of the Morrigan", "ULT-27", "W", "decks", _("When deckbuilding adds a random basic weakness, draw three, return one, and take one of the others at random."), ("draws.weaknesses.draw_three",), builds=True, effects={_Does.WEAKNESS_OF_THREE: 1}),
        Ultimatum("persephone", "Boon of Persephone", "ULT-28", "X", "end", _("A defeated investigator earns 3 extra experience."), _DEFEATED, campaign_only=True, effects={_Does.EXPERIENCE_FOR_DEFEAT: 3}),
    )
}
REFRACTIONS: dict[str, Ultimatum] = {
    each.id: each
    for each in (
        Ultimatum("invisibility", "Ultimatum of Invisibility", "ULT-29", "–", "play", _("Broods are Elite and immune to player cards except Esoteric Formula."), campaign="dwl", scenarios=("undimensioned_and_unseen",)),
        Ultimatum("multiplication", "Ultimatum of Multiplication", "ULT-30", "S", "setup play", _("All five Broods begin in play, one at each location but Dunwich Village; each later one becomes 1 doom on the agenda."), campaign="dwl", scenarios=("undimensioned_and_unseen",)),
        Ultimatum("death", "Ultimatum of Death", "ULT-31", "S", "setup end", _("Agenda 1 is advanced after setup, and the Specter of Death begins exhausted; agenda 2’s doom threshold is 6 higher; the Specter is healed instead of entering the victory display."), campaign="ptc", scenarios=("the_pallid_mask",)),
        Ultimatum("the-man", "Ultimatum of The Man", "ULT-32", "–", "play", _("The Man isn’t a Humanoid for Corpse Dweller, and stays in the Tomb of Shadows during act 2."), campaign="ptc", scenarios=("the_pallid_mask",)),
        Ultimatum("unspeakable-name", "Ultimatum of the Unspeakable Name", "ULT-33", "T", "play end", _("Once Daniel’s warning is recorded, you also suffer 1 mental trauma each time you speak the name."), _SUFFERED, campaign="ptc"),
        Ultimatum("brass-crown", "Ultimatum of the Brass Crown", "ULT-34", "S", "setup", _("Once Daniel’s warning is recorded, begin with 1 horror for each time you spoke, wrote or typed the name since the last scenario."), campaign="ptc"),
        Ultimatum("venom", "Ultimatum of Venom", "ULT-35", "T", "end", _("At the end of a game, each investigator who isn’t eliminated suffers 1 physical trauma for each Poisoned they have."), _SUFFERED, campaign="tfa"),
        Ultimatum("ambuscade", "Ultimatum of Ambuscade", "ULT-36", "–", "play", _("After a successful exploration, reveal the top encounter card: draw it if it is an enemy, discard it otherwise."), campaign="tfa"),
        Ultimatum("faulty-carburetor", "Ultimatum of the Faulty Carburetor", "ULT-37", "S", "setup", _("With exactly 2 investigators, both must board the same vehicle."), campaign="tic", scenarios=("horror_in_high_gear",)),
        Ultimatum("drowned", "Ultimatum of the Drowned", "ULT-38", "S", "setup play", _("Each agenda’s doom threshold is 1 lower. When the enraged Dagon or Hydra is evaded or damaged, the same happens to one of its Broods in play; then Dagon or Hydra readies."), campaign="tic", scenarios=("into_the_maelstrom",)),
        Ultimatum("annoyance", "Ultimatum of Annoyance", "ULT-39", "WD", "campaign", _("Three random Tekeli-li cards are shuffled into each deck at the start."), ("draws.weaknesses.draw_weakness",), campaign="eoe"),
        Ultimatum("dreamer", "Boon of The Dreamer", "ULT-40", "–", "play", _("After act 5, go to agenda 3a, remove its doom, and add 2 to its threshold."), campaign="tdea", scenarios=("where_gods_dwell",)),
        Ultimatum("atonement", "Boon of Atonement", "ULT-41", "S", "setup play", _("Each agenda’s doom threshold is 1 higher."), campaign="tskc", scenarios=("kuala_lampur",)),
        Ultimatum("dance", "Boon of the Dance", "ULT-42", "L", "setup", _("You may read what a dance requires before choosing partners."), campaign="fhv", scenarios=("the_second_evening",)),
        Ultimatum("bliss", "Boon of Bliss", "ULT-43", "S", "setup play", _("Each agenda’s doom threshold is 2 higher."), campaign="fhv", scenarios=("fate_of_the_vale",)),
        Ultimatum("miners", "Boon of the Miners", "ULT-44", "–", "play", _("The Kindling ability costs as many clues as you take kindling; the group can use the burning ability once per location."), campaign="fhv", scenarios=("fate_of_the_vale",)),
        Ultimatum("sleeper", "Ultimatum of the Sleeper", "ULT-45", "–", "play", _("The enraged health of Cthulhu enemies is per investigator."), campaign="tdc", scenarios=("the_doom_of_arkham_part_2",)),
        Ultimatum("spoilage", "Ultimatum of Spoilage", "ULT-46", "L", "setup play end", _("Artifacts can’t be used and take no damage; you can’t choose an expedition item again once it is defeated or discarded."), ("answer.banished", "campaign.effects.ultimatums.banish"), campaign="tdc"),
    )
}
# fmt: on
ALL: dict[str, Ultimatum] = {**ULTIMATUMS, **REFRACTIONS}
_AMOUNTS = {
    effect: {
        each.id: each.effects[effect] for each in ALL.values() if effect in each.effects
    }
    for effect in UltimatumEffect
}

# A “Return to” counts as the campaign or scenario it returns to: prefixes of their ids.
RETURNS, RETURN_TO = "rt", "return_to_"


def under(in_force: Collection[str], effect: UltimatumEffect) -> int:
    """The total amount of an effect among those in force; 0 if none has it."""
    if not in_force:
        return 0
    amounts = _AMOUNTS[effect]
    return sum(amounts.get(each, 0) for each in in_force)


def causing(*effects: UltimatumEffect) -> tuple[Ultimatum, ...]:
    """The entries with one of these effects, in the order of the table."""
    return tuple(
        each for each in ALL.values() if not each.effects.keys().isdisjoint(effects)
    )


def belongs(each: Ultimatum, campaign: str, scenario: str = "") -> bool:
    """True if it can be chosen there (ULT-00c); no ``scenario``: in the campaign."""
    if not each.is_refraction:
        return True
    if campaign.removeprefix(RETURNS) != each.campaign:
        return False
    scenario = scenario.removeprefix(RETURN_TO)
    return not scenario or not each.scenarios or scenario in each.scenarios


def shown(moment: UltimatumMoment, chosen: Iterable[str]) -> tuple[Ultimatum, ...]:
    """The chosen entries that matter at a moment, in the order of the table."""
    wanted = frozenset(chosen)
    return tuple(
        each for each in ALL.values() if each.id in wanted and moment in each.moments
    )
