"""Names the option of a back, for programs and for people."""

from __future__ import annotations

from dataclasses import replace

from arkham.rules.investigator import DeckOption
from arkham.rules.vocabulary import CardClass, Tag

ALL_CLASSES = tuple(CardClass)
CHOSEN = {"class": "chosen", "class_1": "first", "class_2": "second"}

_TAG_WORDS = {
    Tag.HEALS_HORROR: "healing horror",
    Tag.HEALS_DAMAGE: "healing damage",
    Tag.PARLEY: "with a parley",
    Tag.SEALS: "that seal",
    Tag.FIREARM: "naming Firearm in the text",
}
_TAG_IDS = {Tag.FIREARM: "firearm-in-text"}  # the trait has the plain word


def named(option: DeckOption, *, any_other: bool = False, key: str = "") -> DeckOption:
    """The option with its id and its label; ``key`` names the choice that fills it."""
    return replace(
        option,
        id=option_id(option, key=key),
        label=option_label(option, any_other=any_other, chosen=bool(key)),
    )


def option_id(option: DeckOption, *, key: str = "") -> str:
    """A readable name of an option, the only one of its kind on a back."""
    parts: list[str] = [CHOSEN[key]] if key else []
    if option.forbids:
        parts.append("no")
    if option.counts_only:
        parts.append("each")
    if option.classes == ALL_CLASSES:
        parts.append("any")
    elif len(option.classes) == len(ALL_CLASSES) - 1:
        parts.append("other")
    else:
        parts.extend(each.value for each in option.classes)
    if option.neutral:
        parts.append("neutral")
    if option.permanent is not None:
        parts.append("permanent" if option.permanent else "not-permanent")
    parts.extend(each.replace(" ", "-") for each in option.traits)
    parts.extend(_TAG_IDS.get(each, each.value) for each in option.tags)
    parts.extend(option.uses)
    parts.extend(f"{each}-slot" for each in option.slots)
    parts.extend(each.value for each in option.types)
    if option.levels is not None:
        parts.extend(str(each) for each in option.levels)
    if option.limit is not None:
        parts.append(f"limit-{option.limit}")
    return "-".join(parts)


def option_label(
    option: DeckOption, *, any_other: bool = False, chosen: bool = False
) -> str:
    """What an option admits or forbids, in plain English words of our own."""
    if option.counts_only and option.at_least is not None:
        return f"{option.at_least.cards} cards or more of each class"
    joint = " or " if option.limit is not None else " and "
    of_class, of_any = joint.join(each.value.title() for each in option.classes), ""
    if option.limit is not None and any_other:
        of_class, of_any = "", "from the other classes"
    elif option.classes == ALL_CLASSES:
        of_class, of_any = "", "of any class"
    elif chosen:
        of_class = "{choice}"
    if option.neutral:
        of_class = f"{of_class} and neutral" if of_class else "Neutral"
    kinds = " and ".join(f"{each.value}s" for each in option.types) or "cards"
    level = _level(option)
    inside = option.forbids or option.limit is not None  # "at most 5 … of level 0"
    words = [
        of_class,
        " or ".join(each.title() for each in option.traits),
        "permanents" if option.permanent and kinds == "cards" else kinds,
        f"of {level}" if level and inside else "",
        " or ".join(_TAG_WORDS[each] for each in option.tags),
        f"that use {' or '.join(option.uses)}" if option.uses else "",
        f"in the {' or '.join(option.slots)} slot" if option.slots else "",
        of_any,
    ]
    text = " ".join(word for word in words if word)
    if option.limit is not None:
        text = f"at most {option.limit} {'other ' if option.other else ''}{text}"
    if option.forbids:
        text = f"no {text}"
    if level and not inside:
        text += f", {level}"
    if option.permanent is False:
        text += ", not permanent"
    if option.spares:
        text += f", {' or '.join(each.title() for each in option.spares)} ones excepted"
    return text if text.startswith("{") else text[0].upper() + text[1:]


def _level(option: DeckOption) -> str:
    if option.levels is None:
        return ""
    least, most = option.levels
    return f"level {least}" if least == most else f"level {least}–{most}"
