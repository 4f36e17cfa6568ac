"""Every sentence a person reads is plain English, in players' words.

``python -m tests.house.sentences`` prints what is read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.sentences import PROJECT, Sentence, described, documents, messages

TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))


class Banned(NamedTuple):
    """A construction that is read twice, and what to write in its place."""

    name: str
    pattern: re.Pattern[str]
    instead: str


def _banned(name: str, pattern: str, instead: str) -> Banned:
    return Banned(name, re.compile(pattern), instead)


# Wherever a person reads: pages, findings, messages, the API's description, documents.
EVERYWHERE = (
    _banned("somebody", r"\b[Ss]omebody\b", "someone, a player, their name"),
    _banned("nobody", r"\b[Nn]obody\b", "no one, no investigator, you can't"),
    _banned("whoever", r"\b[Ww]ho(?:m|se)?ever\b", "a player who, anyone who"),
    _banned(
        "one as a subject",
        r"(?:^|[.;:,] |\b(?:what|if|when) )[Oo]ne (?:can|must|should|sees|has)\b",
        "you",
    ),
    _banned("one's own", r"\b[Oo]ne['’]s\b", "your, their"),
    _banned("is said", r"\b(?:is|are|and) said\b", "we say, it says"),
    _banned("is told", r"\b(?:is|are|was|be) told\b", "we tell you, it says"),
    _banned("taken in", r"\b[Tt]ak(?:en|e (?:it|them)) in\b", "imported"),
    _banned("comes to", r"\b(?:comes|came) to\b", "is, adds up to, reaches"),
    _banned("lies", r"\b(?:lies|lie)\b", "is, are"),
    _banned("otherwise than", r"\botherwise than\b", "differently from"),
    _banned("anew", r"\banew\b", "again"),
    _banned("put right", r"\b[Pp]uts? (?:it |them |a \w+ )?right\b", "correct"),
    _banned("is no", r"(?:[Tt]his|\bthat|\}|”|\)s) is no (?!longer)\w", "isn't a"),
    _banned("called so", r"\b(?:called|found|judged|kept) so\b", "this way, with this"),
    _banned("what came of", r"\b[Ww]hat (?:came|comes|became|becomes) of\b", "results"),
)
# What a player reads: messages and gettext alone.
FOR_PLAYERS = (
    _banned(
        "a sentence that begins with Who and asks nothing",
        r"(?:^|[.:;] )Who (?:is|was|has|had|holds|sits|joins)\b[^?]*(?:\.|$)",
        "an investigator who, anyone who",
    ),
    _banned("others as a subject", r"\bOthers (?:wrote|did)\b", "Someone else"),
    _banned("taken as", r"\btaken as\b", "we assume"),
    _banned("stands", r"\b(?:stands|stand|stood)\b", "is, are"),
    _banned("for good", r"\bfor good\b", "permanently, to the end of the campaign"),
    _banned("for nothing", r"\bfor nothing\b", "for free"),
    _banned("Leave it", r"^(?:Leave it|Keep the terms|Keep it|Stay)$", "Cancel"),
    _banned(
        "Take it along", r"\b[Tt]ake (?:it|them|this list) (?:along|over)\b", "Import"
    ),
    _banned("Bring a list", r"\b[Bb]ring (?:a list|your own|a campaign)\b", "Import"),
    _banned("Archive", r"\b[Pp]ut away\b", "archive"),
    _banned("take back", r"\b[Tt]ak(?:e|en) back\b", "undo, undone"),
    _banned("written down", r"\b(?:[Ww]rit(?:e|ten)) (?:it |this )?down\b", "record"),
    _banned("considered cards", r"\b[Cc]onsider(?:ed)?\b", "side deck"),
    _banned("does not count", r"\bdoes not count$", "doesn't count toward deck size"),
    _banned("terms of a deck", r"\b[Tt]erms (?:the deck is )?judged\b", "rules used"),
    _banned("Who sees it", r"^Who sees it$", "Visibility"),
    _banned("The way so far", r"\bThe way so far\b", "Scenarios, Results"),
    _banned("list of taboos", r"\b[Ll]ists? of taboos\b", "taboo list"),
    _banned("nothing of yours", r"\b[Nn]othing of yours\b", "your answer wasn't"),
    _banned("tell of", r"\btell of\b|\bmay come$", "hidden (spoilers)"),
    _banned("look on", r"\blooks? on at\b", "You are a spectator"),
    _banned("sworn", r"\b(?:[Ss]wear|[Ss]worn|oath)\b", "choose, chosen, ultimatum"),
    _banned("keeper of a server", r"\b[Kk]eeper of this server\b", "operator"),
    _banned("array", r"\barrays?\b", "a list in […]"),
    _banned("object", r"\bobjects?\b", "a {…} block"),
    _banned(
        "string", r"\b(?:booleans?|integers?|strings?|payloads?)\b", "text, number"
    ),
    _banned("UTF-8", r"\bUTF-8\b", "plain text"),
    _banned("JSON pointer", r"\b[Pp]ointer\b", "the place, in words"),
    _banned(
        "rule id",
        r"\b(?:access|deck|required|copies|weakness|upgrade|answer|fact)\.[a-z-]{4,}\b",
        "the rule in words",
    ),
)
# Sentences that may hold a word above, and why.
ALLOWED = {
    "Byte %(byte)d of the body is not UTF-8.": "said to programs that send a body",
    "payload": "a column of the log, seen by operators alone",
    "Trust Nobody": "the printed name of an achievement",
}

# The first word of a button, and what it does. One verb for one act.
VERBS = {
    "Add": "one more of something, or a new entry of a list",
    "Archive": "out of the way, read only",
    "Begin": "a deck, a campaign, a game, a round, a job",
    "Block": "an account, by the operator",
    "Cancel": "nothing happens",
    "Change": "a value that stays where it is",
    "Check": "look for faults, change nothing",
    "Choose": "one of those offered",
    "Close": "a dialog, an account",
    "Compare": "two of a kind side by side",
    "Confirm": "what was shown before",
    "Continue": "to what comes next",
    "Copy": "a second one, or to the clipboard",
    "Correct": "what was answered, drawn or bought",
    "Create": "an account, a key, a link",
    "Delete": "a whole deck, folder, collection, campaign",
    "Discard": "a card, or what was not sent",
    "Dismiss": "a notice that was read, a report",
    "Don’t": "use what is used unless one says so",
    "Draw": "cards at random",
    "Drop": "an ultimatum",
    "End": "a test, a scenario, a game",
    "Exhaust": "a card in play",
    "Export": "to a file",
    "Hide": "what is shown",
    "Import": "from a file, a list, an address",
    "Join": "a table",
    "Judge": "a deck by the rules",
    "Keep": "one copy; a campaign by hand",
    "Leave": "a table",
    "Link": "two campaigns",
    "Make": "private",
    "Move": "to another place",
    "Open": "a page about it",
    "Play": "a card, a scenario, as a guest",
    "Preview": "as others will read it",
    "Print": "on paper",
    "Publish": "for everyone",
    "Put": "a card where it goes",
    "Record": "what happened, in a log or ledger",
    "Redo": "what was undone",
    "Release": "a sealed token",
    "Remove": "one thing out of a whole that stays",
    "Rename": "a folder",
    "Replace": "a link by a new one",
    "Reset": "back to the beginning",
    "Resign": "an investigator leaves the game, undefeated",
    "Resolve": "a card",
    "Restart": "a scenario",
    "Restore": "from the bin",
    "Retire": "an investigator",
    "Return": "a card to where it began",
    "Reveal": "a chaos token",
    "Revoke": "a link, a key",
    "Save": "what was filled in",
    "Search": "cards and rules",
    "Send": "an answer that was kept",
    "Share": "by a link",
    "Show": "more, or the answer to a form of questions",
    "Shuffle": "cards into a deck",
    "Sign": "in and out",
    "Sort": "a list",
    "Stop": "an exploration",
    "Take": "a mulligan, a card",
    "Tick": "an achievement",
    "Try": "a sample",
    "Turn": "two-step sign-in on or off",
    "Unarchive": "back among the others",
    "Unblock": "an account that was blocked",
    "Undo": "the last act",
    "Unpublish": "for everyone",
    "Update": "a bag to that of the log",
    "Upgrade": "cards of a deck for experience",
    "Use": "one of several",
    "Withdraw": "a reported deck, by the operator",
}
# Buttons that are no act but a state, pressed or not, or a thing that opens.
STATES = {
    "Takes no slot": "pressed while it takes none",
    "Used this round": "pressed while it is",
    "My deck is up to date": "an answer, as that of the table is",
    "My deck isn’t up to date yet": "the same answer taken back",
    "Not exiled": "one of three answers beside Exile 1",
    "free": "a price, named in full for screen readers",
    "from {{ name }}": "a price, named in full for screen readers",
    "Menu": "opens the menu, as everywhere",
    "Filters": "opens the filters, as everywhere",
    "All {{ number }}": "pressed while all of them are owned",
    "you own its player cards": "pressed while they are owned",
    "Found": "pressed for a card that was missing",
    "Next card": "turns to it",
    "Previous card": "turns to it",
}
_BUTTON = re.compile(
    r"<button\b(?P<tag>[^>]*(?:%}[^>]*)*)>(?P<inside>.*?)</button>", re.DOTALL
)
_SAYS = re.compile(
    r"{%\s*translate\s+(?P<quote>[\"'])(?P<text>.*?)(?P=quote)"
    r"|{%\s*blocktranslate\b[^%]*%}(?P<block>.*?){%\s*(?:plural|endblocktranslate)",
    re.DOTALL,
)


def labels_of(template: str) -> list[str]:
    """The first words that each button of a template shows."""
    found = []
    for button in _BUTTON.finditer(template):
        says = _SAYS.search(button["inside"])
        if says and "unseen" not in button["inside"][: says.start()]:
            found.append(" ".join((says["text"] or says["block"]).split()))
    return found


def _found(written: Iterable[Sentence], banned: tuple[Banned, ...]) -> list[str]:
    return [
        f"{place}: {text}\n    {each.name}; instead: {each.instead}"
        for place, text in dict.fromkeys(written)
        for each in banned
        if text not in ALLOWED and each.pattern.search(text)
    ]


@pytest.fixture(scope="session")
def written(template_of_messages: Path) -> tuple[Sentence, ...]:
    """Every message of the catalogue, with its place."""
    return tuple(messages(template_of_messages))


def test_messages(written: tuple[Sentence, ...]) -> None:
    """Pages, findings, remedies, refusals, commands."""
    assert len(written) > 5_000
    assert _found(written, EVERYWHERE + FOR_PLAYERS) == []


def test_the_description_of_the_api() -> None:
    assert _found(described(), EVERYWHERE) == []


def test_documents() -> None:
    """README and docs."""
    assert _found(documents(), EVERYWHERE) == []


@pytest.mark.parametrize("each", EVERYWHERE + FOR_PLAYERS, ids=lambda each: each.name)
def test_why(each: Banned) -> None:
    """Each pattern has a name and something to write in its place."""
    assert each.instead
    assert not each.pattern.search(each.instead)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_buttons_are_verbs(path: Path) -> None:
    """Every button says what it does with a verb of the table."""
    labels = labels_of(path.read_text(encoding="utf-8"))
    assert [
        label
        for label in labels
        if label not in STATES and label.split()[0].rstrip(",") not in VERBS
    ] == []


def test_every_verb_is_used() -> None:
    """The table has no verb that no button needs."""
    labels = [each for path in TEMPLATES for each in labels_of(path.read_text("utf-8"))]
    used = {label.split()[0].rstrip(",") for label in labels}
    assert {verb for verb in VERBS if verb not in used} == set()
    assert {each for each in STATES if each not in labels} <= {
        "Menu",
        "Next card",
        "Previous card",
    }


@pytest.mark.parametrize(
    ("template", "labels"),
    [
        ('<button>{% translate "Save" %}</button>', ["Save"]),
        (
            '<button class="a">{% sign "x" "" %} {% translate "Undo" %}</button>',
            ["Undo"],
        ),
        (
            "<button>{% blocktranslate %}Add {{ x }}{% endblocktranslate %}</button>",
            ["Add {{ x }}"],
        ),
        ("<button>{{ name }}</button>", []),
    ],
)
def test_the_reader_of_buttons(template: str, labels: list[str]) -> None:
    assert labels_of(template) == labels
