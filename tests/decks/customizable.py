"""Completed upgrade sheets of the sixteen customizable cards."""

from __future__ import annotations

from typing import NamedTuple

INVESTIGATORS = {
    "guardian": "01001",
    "seeker": "01002",
    "rogue": "01003",
    "mystic": "01004",
    "survivor": "01005",
}


class Filled(NamedTuple):
    """A sheet with one box marked on every line, and all its texts and choices.

    ``written`` is what a player enters, by line; ``meta`` is the whole sheet as
    ArkhamDB's formats write it.
    """

    code: str
    name: str
    investigator: str
    boxes: tuple[int, ...]
    written: dict[int, tuple[str, ...]]
    meta: str


def _sheet(
    code: str,
    name: str,
    card_class: str,
    boxes: tuple[int, ...],
    meta: str,
    **written: tuple[str, ...],
) -> Filled:
    lines = {int(line.removeprefix("line_")): texts for line, texts in written.items()}
    return Filled(code, name, INVESTIGATORS[card_class], boxes, lines, meta)


# fmt: off
SHEETS = (
    _sheet("09021", "Hunter's Armor", "guardian", (1, 2, 2, 2, 2, 3, 3),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1"),
    _sheet("09022", "Runic Axe", "guardian", (1, 1, 1, 1, 1, 3, 3, 4),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1,7|1"),
    _sheet("09023", "Custom Modifications", "guardian", (1, 2, 2, 3, 3, 4),
           "0|1,1|1,2|1,3|1,4|1,5|1"),
    _sheet("09040", "Alchemical Distillation", "seeker", (1, 1, 1, 1, 2, 4, 5),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1"),
    _sheet("09041", "Empirical Hypothesis", "seeker", (1, 1, 1, 1, 2, 2, 3, 4),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1,7|1"),
    _sheet("09042", "The Raven Quill", "seeker", (0, 1, 1, 2, 2, 2, 3, 4),
           "0|0|01031,1|1,2|1,3|1,4|1|60208^03154,5|1,6|1,7|1",
           line_0=("Old Book of Lore",), line_4=("Encyclopedia", "Book of Shadows")),
    _sheet("09059", "Damning Testimony", "rogue", (1, 2, 2, 3, 3, 4),
           "0|1,1|1,2|1,3|1,4|1,5|1"),
    _sheet("09060", "Friends in Low Places", "rogue", (0, 1, 2, 2, 2, 2, 3, 3),
           "0|0|Illicit,1|1,2|1|Trick,3|1,4|1,5|1,6|1,7|1",
           line_0=("illicit",), line_2=("Trick.",)),
    _sheet("09061", "Honed Instinct", "rogue", (1, 1, 1, 1, 1, 2, 3, 5),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1,7|1"),
    _sheet("09079", "Living Ink", "mystic", (0, 1, 1, 2, 2, 3, 3, 3),
           "0|0|willpower,1|1,2|1,3|1,4|1|combat,5|1|agility,6|1,7|1",
           line_0=("willpower",), line_4=("combat",), line_5=("agility",)),
    _sheet("09080", "Summoned Servitor", "mystic", (1, 1, 1, 1, 1, 2, 3, 5),
           "0|1,1|1,2|1,3|1,4|1,5|1|1,6|1,7|1",
           line_5=("1",)),
    _sheet("09081", "Power Word", "mystic", (1, 1, 1, 1, 2, 3, 3, 3),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1,7|1"),
    _sheet("09099", "Pocket Multi Tool", "survivor", (1, 1, 2, 2, 2, 3, 4),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1"),
    _sheet("09100", "Makeshift Trap", "survivor", (1, 1, 2, 2, 2, 3, 4),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1"),
    _sheet("09101", "Grizzled", "survivor", (0, 1, 2, 3, 4, 5),
           "0|0|Humanoid^Monster,1|1|Cultist,2|1|Creature,3|1,4|1,5|1",
           line_0=("Humanoid", "monster"), line_1=("Cultist",), line_2=("Creature",)),
    _sheet("09119", "Hyperphysical Shotcaster", "seeker", (2, 2, 2, 2, 2, 4, 4),
           "0|1,1|1,2|1,3|1,4|1,5|1,6|1"),
)
# fmt: on
# The lines of each sheet in order, by ids that never change.
# fmt: off
LINES = {
    "09021": (
        "enchanted protective-runes durable hallowed lightweight hexdrinker "
        "armor-of-thorns"
    ),
    "09022": (
        "heirloom inscription-of-glory inscription-of-the-elders "
        "inscription-of-the-hunt inscription-of-fury ancient-power saga "
        "scriptweaver"
    ),
    "09023": (
        "notched-sight extended-stock counterbalance leather-grip "
        "extended-magazine quicksilver-bullets"
    ),
    "09040": (
        "mending-distillate calming-distillate enlightening-distillate "
        "quickening-distillate refined empowered perfected"
    ),
    "09041": (
        "pessimistic-outlook trial-and-error independent-variable "
        "field-research peer-review research-grant irrefutable-proof "
        "alternative-hypothesis"
    ),
    "09042": (
        "named-asset living-quill spectral-binding mystic-vane "
        "endless-inkwell energy-sap interwoven-ink supernatural-record"
    ),
    "09059": (
        "search-warrant fabricated-evidence blackmail extort surveil expose"
    ),
    "09060": (
        "chosen-trait helpful versatile bolstering clever prompt "
        "experienced swift"
    ),
    "09061": (
        "reflex-response situational-awareness killer-instinct gut-reaction "
        "muscle-memory sharpened-talent impulse-control force-of-habit"
    ),
    "09079": (
        "chosen-skill shifting-ink subtle-depiction imbued-ink eldritch-ink "
        "eldritch-ink-2 macabre-depiction vibrancy"
    ),
    "09080": (
        "armored-carapace claws-that-catch jaws-that-snatch eyes-of-flame "
        "wings-of-night dominance dreaming-call daemonic-influence"
    ),
    "09081": (
        "betray mercy confess distract greater-control bonded tonguetwister "
        "thrice-spoken"
    ),
    "09099": (
        "detachable pry-bar sharpened-knife signal-mirror magnifying-lens "
        "lucky-charm spring-loaded"
    ),
    "09100": (
        "improved-timer tripwire simple poisonous remote-configuration net "
        "explosive-device"
    ),
    "09101": (
        "chosen-trait specialist specialist-2 nemesis mythos-hardened "
        "always-prepared"
    ),
    "09119": (
        "railshooter telescanner translocator realitycollapser matterweaver "
        "aetheric-link empowered-configuration"
    ),
}
# fmt: on
