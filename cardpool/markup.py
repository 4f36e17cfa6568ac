"""Turn the mark-up of ArkhamDB's card texts into safe HTML.

Bold, italics, traits in double brackets and symbols in single ones are kept; the rest
is text, and every tag opened in a line is closed in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arkham.rules.card import Card
from arkham.rules.notation.names import names_of
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from arkham.signs import SIGNS
from arkham.templatetags.arkham import sign

Names = Callable[[Card], str]
Naming = Callable[[Card, str], SafeString]
Sets = frozenset[str]

# Names of symbols that have no icon here.
SYMBOLS: dict[str, str | Promise] = {
    "action": _("Action"),
    "reaction": _("Reaction"),
    "fast": _("Free"),
    "free": _("Free"),
    "per_investigator": _("per investigator"),
    "skull": _("Skull"),
    "cultist": _("Cultist"),
    "tablet": _("Tablet"),
    "elder_thing": _("Elder Thing"),
    "elder_sign": _("Elder Sign"),
    "auto_fail": _("Auto-fail"),
    "bless": _("Bless"),
    "curse": _("Curse"),
    "frost": _("Frost"),
}
_DRAWN_AS = {"free": "fast"}
MOST_BLANKS = 8  # between a symbol and its own name next to it
_KEPT = {"b": "b", "strong": "b", "i": "i", "em": "i", "cite": "i", "u": "u"}
_BREAKS = re.compile(r"\n|<br\s*/?>|<hr\s*/?>|</?blockquote>|</?p>", re.IGNORECASE)
_PUNCTUATION = (".", ",", ";", ":", ")")
_PIECE = re.compile(r"<(/?)([a-z]+)[^<>]*>|\[\[([^\[\]]*)\]\]|\[([a-z_]+)\]")
_AMOUNT = re.compile(r"[+-](?:\d{1,2}|X) \Z")


def rendered(text: str) -> SafeString:
    """Return a text as paragraphs of HTML; "" for none."""
    lines = (line.strip() for line in _BREAKS.split(text))
    paragraphs = (f"<p>{_line(line)}</p>" for line in lines if line)
    return mark_safe("".join(paragraphs))  # noqa: S308 (every part is escaped)


def rendered_line(text: str) -> SafeString:
    """Return one line of text as HTML, without a paragraph around it."""
    return mark_safe(_line(text))  # noqa: S308 (every part is escaped)


def unmarked(text: str) -> str:
    """Return a text without mark-up, with names for its symbols.

    A symbol next to its own name is left out: “Day [day]” becomes “Day”.
    """
    return " ".join(_PIECE.sub(_spelled, text).split())


def _spelled(piece: re.Match[str]) -> str:
    _closing, _tag, trait, symbol = piece.groups()
    if symbol is None:
        return trait or ""
    word = str(_worded(symbol))
    beside = word.casefold()
    # Look only this far, however long the text is and however many symbols it has.
    reach = len(beside) + MOST_BLANKS
    start, end = piece.span()
    before = piece.string[max(start - reach, 0) : start].rstrip().casefold()
    after = piece.string[end : end + reach].lstrip().casefold()
    return "" if before.endswith(beside) or after.startswith(beside) else word


def _worded(symbol: str) -> str | Promise:
    """Return the name of a symbol; for letters and seals with the letter: “rune A”."""
    known = SYMBOLS.get(symbol)
    if known is not None:
        return known
    *_book, kind, letter = ["", *symbol.split("_")]
    if kind and len(letter) == 1:
        return f"{kind} {letter.upper()}"
    return symbol.replace("_", " ")


def _line(line: str) -> str:
    parts: list[str] = []
    opened: list[str] = []
    end = 0
    for piece in _PIECE.finditer(line):
        closing, tag, trait, symbol = piece.groups()
        text = line[end : piece.start()]
        found = symbol and _AMOUNT.search(text)
        amount = found[0] if found else ""
        parts.append(escape(text.removesuffix(amount)))
        end = piece.end()
        if trait is not None:
            parts.append(f"<b><i>{escape(trait)}</i></b>")
        elif symbol is not None:
            parts.append(_symbol(symbol))
            start, end = end, end + line.startswith(_PUNCTUATION, end)
            if amount or start < end:
                # Kept together: no line should begin with what is +2, or with a comma.
                drawn = f"{amount}{parts[-1]}{line[start:end]}"
                parts[-1] = f'<span class="unbroken">{drawn}</span>'
        elif tag in _KEPT:
            parts.append(_tag(_KEPT[tag], bool(closing), opened))
    parts.append(escape(line[end:]))
    parts.extend(f"</{tag}>" for tag in reversed(opened))
    return "".join(parts)


def _tag(tag: str, closing: bool, opened: list[str]) -> str:
    """Return the tag if it fits the open ones; drop a closing tag that doesn't."""
    if not closing:
        opened.append(tag)
        return f"<{tag}>"
    if not opened or opened[-1] != tag:
        return ""
    opened.pop()
    return f"</{tag}>"


def _symbol(name: str) -> str:
    known = _DRAWN_AS.get(name, name).replace("_", "-")
    if known in SIGNS:
        return sign(known)
    return f'<span class="symbol">{escape(_worded(name))}</span>'


# -- cards in our own sentences --


def linked(card: Card, name: str) -> SafeString:
    """Return a card's name as a link to its page, which previews the card."""
    return format_html('<a class="named" href="{}">{}</a>', _page(card), name)


def pointed(card: Card, name: str) -> SafeString:
    """Return a card's name with a preview but no link, as for labels."""
    return format_html('<span data-card="{}">{}</span>', _page(card), name)


def with_cards(sentence: str, cards: Iterable[Card], names: Names) -> SafeString:
    """Return a sentence as HTML, with the names of these cards as links.

    ``names`` returns the name of a card for the reader.
    """
    known = {names(card): card for card in cards}
    if not known:
        return format_html("{}", sentence)
    longest_first = sorted(known, key=len, reverse=True)
    named = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")
    parts = named.split(sentence)
    return format_html_join(
        "", "{}", ((linked(known[p], p) if n % 2 else p,) for n, p in enumerate(parts))
    )


_TAGS = re.compile(r"(<[^<>]*>)")
_WORD = re.compile(r"\w+")
_BEFORE, _AFTER = (": ", "; ", ", "), ("", ";", ",")
MOST_LINES = 1_000  # cached with their links
_WITHIN = re.compile(r"[^\W\dA-Z_]|,")  # ends a word of the same sentence
_REFERENCE = (CardType.SCENARIO, CardType.ACT, CardType.AGENDA)


class CardMentions:
    """Finds the cards of a pool that a text names, by names of several words.

    A single word counts only if it is the whole line, and only for a weakness, “Roland
    Banks: Paranoia”, or within a sentence for a nearby location: “the Study”. The name
    of an encounter set means the set, and that of a scenario, act or agenda means no
    card. If several cards share the name, it means the first of the lowest level,
    unless a level follows, “Beat Cop (2)”, or another card is nearer.
    """

    def __init__(self, pool: CardPool, names: Names) -> None:
        apart = set(pool.encounter_sets.values())
        found: dict[str, list[Card]] = {}
        for card in sorted(
            pool.values(), key=lambda each: (each.level or 0, each.code)
        ):
            if card.type in _REFERENCE:
                continue
            for name in {card.name, names(card)} - apart:
                if " " in name or card.weakness or card.type is CardType.LOCATION:
                    found.setdefault(escape(name), []).append(card)
                    found.setdefault(escape(f"{name} ({card.level})"), []).append(card)
        self._by_word: dict[str, list[tuple[str, int, list[Card]]]] = {}
        for name in sorted(found, key=len, reverse=True):
            word = _WORD.search(name)
            if word:
                listed = self._by_word.setdefault(word[0], [])
                listed.append((name, word.start(), found[name]))
        # Pages show most lines again and again.
        self._named = lru_cache(MOST_LINES)(self._with_names)

    def linked(
        self, html: str, of: Card | None = None, near: Sets = frozenset()
    ) -> SafeString:
        """Link the names in safe HTML, except inside other links.

        ``of`` is the card that the text is on, whose own name is not linked; cards of
        the encounter sets ``near`` take precedence.
        """
        return self._named(html, linked, near, of.name if of else "")

    def pointed(self, html: str, near: Sets = frozenset()) -> SafeString:
        """Return safe HTML whose names preview their cards, for labels and buttons."""
        return self._named(html, pointed, near)

    def _with_names(
        self, html: str, named: Naming, near: Sets, own: str = ""
    ) -> SafeString:
        parts = _TAGS.split(html)
        within = 0
        for place, part in enumerate(parts):
            if place % 2:
                within += part.startswith("<a ") - (part == "</a>")
            elif not within:
                parts[place] = self._in_text(part, named, near, own, opens=not place)
        return mark_safe("".join(parts))  # noqa: S308 (as it was, and our own links)

    def _in_text(
        self, text: str, named: Naming, near: Sets, own: str, *, opens: bool
    ) -> str:
        parts: list[str] = []
        end = 0
        for word in _WORD.finditer(text):
            for name, offset, cards in self._by_word.get(word[0], ()):
                start = word.start() - offset
                after = start + len(name)
                if start < end or not text.startswith(name, start):
                    continue
                if text[after : after + 1].isalnum():
                    continue
                nearer = (each for each in cards if each.encounter_set in near)
                card = next(nearer, cards[0])
                if " " not in name and not (
                    _WITHIN.match(text[max(start - 2, 0) : start - 1])
                    if card.type is CardType.LOCATION and card.encounter_set in near
                    else card.weakness and _alone(text, start, after, opens)
                ):
                    continue
                shown = mark_safe(name)  # noqa: S308 (it was escaped)
                is_own = card.name == own
                parts += [text[end:start], shown if is_own else named(card, shown)]
                end = after
                break
        return "".join([*parts, text[end:]])


def _alone(text: str, start: int, after: int, opens: bool) -> bool:
    """Return True if a name fills the space between two signs, or from the start."""
    begins = text[max(start - 2, 0) : start] in _BEFORE or (opens and not start)
    return begins and text[after : after + 1] in _AFTER


# -- notes by players --

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
_NAMED = re.compile(r"\[\[([^\[\]\n]{1,100})\]\](?!\()")
_LEVEL = re.compile(r"\(([0-9])\)\Z")
_MEANT = re.compile(r"([\\`*_\[\]<>#|])")  # special characters of Markdown
MOST_NAMED = 300  # cards linked in one text
MOST_MEANT = 6  # cards of one name that are offered


def with_card_links(text: str, pool: CardPool) -> str:
    """Return Markdown in which ``[[Machete]]`` and ``[[Blackjack (2)]]`` are links.

    If several cards have the name, each is offered; if none has, the text says so.
    """
    parts = _CODE.split(text)
    left = MOST_NAMED
    for place in range(0, len(parts), 2):
        if left <= 0:
            break
        parts[place], found = _NAMED.subn(
            lambda match: _linked(match[1], pool), parts[place], left
        )
        left -= found
    return "".join(parts)


def _linked(said: str, pool: CardPool) -> str:
    shown, cards = _escaped(said.strip()), _called(said.strip(), pool)
    if not cards:
        return gettext("%(name)s (no card has this name)") % {"name": shown}
    if len(cards) == 1:
        return f"[{shown}]({_page(cards[0])})"
    offered = " · ".join(
        f"[{_escaped(_apart(card, cards))}]({_page(card)})"
        for card in cards[:MOST_MEANT]
    )
    return gettext("%(name)s (which one? %(cards)s)") % {
        "name": shown,
        "cards": offered,
    }


def _escaped(text: str) -> str:
    return _MEANT.sub(r"\\\1", text)


def _called(said: str, pool: CardPool) -> list[Card]:
    """Return the cards of a name, of one level if the name ends with it."""
    names = names_of(pool)
    found = names.called(said)
    if not found and (level := _LEVEL.search(said)):
        named = names.called(said[: level.start()].strip())
        found = [each for each in named if each.level == int(level[1])]
    return list({each.code: each for each in found}.values())


def _apart(card: Card, cards: list[Card]) -> str:
    """Return what distinguishes a card among those of its name: level, subtitle …"""
    levels = {each.level for each in cards}
    if len(levels) == len(cards) and card.level is not None:
        return f"({card.level})"
    if card.subname and len({each.subname for each in cards}) == len(cards):
        return card.subname
    return f"{card.subname or card.name} {card.code}"


def _page(card: Card) -> str:
    return reverse("cardpool:card", args=[card.code])
