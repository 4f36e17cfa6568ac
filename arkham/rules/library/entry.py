"""An entry of the rules library, and how it read at an earlier FAQ."""

from __future__ import annotations

from dataclasses import dataclass

from arkham.rules.finding import gettext_noop

# Versions of the FAQ that brought an erratum, in order; before them, none.
BEFORE_ANY = "none"
VERSIONS = (
    BEFORE_ANY, "1.0", "1.1", "1.2", "1.3", "1.4", "1.41", "1.5", "1.6", "1.7", "1.8",
    "1.9", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5",
)  # fmt: skip
NEWEST = VERSIONS[-1]

# The files of the library, in the order in which pages list them.
TOPICS: dict[str, str] = {
    "authority": gettext_noop("Which rule wins"),
    "deckbuilding": gettext_noop("Building a deck"),
    "experience": gettext_noop("Experience and upgrades"),
    "weaknesses": gettext_noop("Weaknesses"),
    "setup": gettext_noop("Setup and elimination"),
    "round": gettext_noop("Rounds and actions"),
    "tests": gettext_noop("Skill tests and chaos tokens"),
    "enemies": gettext_noop("Enemies and encounters"),
    "cards": gettext_noop("Cards"),
    "abilities": gettext_noop("Abilities and wording"),
    "play": gettext_noop("In play"),
    "campaign": gettext_noop("Campaigns"),
    "by-campaign": gettext_noop("One campaign only"),
    "keeping": gettext_noop("Campaign logs in Orne"),
}

# Documents that are ours, and have no sections.
UNPRINTED = frozenset({"reading", "orne"})

# What a source's first word stands for, the weightiest first.
DOCUMENTS: dict[str, str] = {
    "faq": gettext_noop("FAQ 2.5"),
    "rr": gettext_noop("Rules Reference"),
    "polish": gettext_noop("Polish rulebook of 2021"),
    "glossary": gettext_noop("Collected glossary of 2024, made by players"),
    "reading": gettext_noop("Our reading; the documents don’t say"),
    "orne": gettext_noop("Orne’s own: how we keep a log"),
}


@dataclass(frozen=True, slots=True)
class SourceSection:
    """A document, by its key in ``DOCUMENTS``, and the section in it."""

    document: str
    section: str = ""

    @property
    def name(self) -> str:
        """The name of the document."""
        return DOCUMENTS[self.document]

    @property
    def rank(self) -> int:
        """Its precedence: 1 wins over all that follow."""
        return list(DOCUMENTS).index(self.document) + 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or a list, in Markdown; links lead to other entries by slug.

    ``since`` is the version of the FAQ that brought it, ``until`` the one that ended
    it; both are "" where no version is on record.
    """

    text: str
    since: str = ""
    until: str = ""

    def holds_at(self, version: str) -> bool:
        """Whether this was in force at that version of the FAQ."""
        at = VERSIONS.index(version)
        begun = not self.since or VERSIONS.index(self.since) <= at
        return begun and (not self.until or at < VERSIONS.index(self.until))


@dataclass(frozen=True, slots=True)
class FaqChange:
    """What a version of the FAQ changed: what held until then, what since."""

    version: str
    was: tuple[Paragraph, ...]
    now: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Superseded:
    """What another document says, and the one that is followed instead."""

    source: str
    said: str
    instead: SourceSection
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule or a term.

    ``slug`` is permanent; ``polish`` is the heading of the Polish rulebook; ``also``
    are further names to find it by; ``terms`` and ``rows`` are those of our catalogue
    of the rules; ``sources`` stand in their order of precedence; ``checks`` are the ids
    of our rules whose findings lead here first.
    """

    slug: str
    topic: str
    title: str
    polish: str
    also: tuple[str, ...]
    terms: tuple[str, ...]
    rows: tuple[str, ...]
    sources: tuple[SourceSection, ...]
    related: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    superseded: tuple[Superseded, ...] = ()
    checks: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it is found by, the title first."""
        headings = (part.strip() for part in self.polish.split(";"))
        return (self.title, *(name for name in headings if name), *self.also)

    def as_of(self, version: str = NEWEST) -> tuple[Paragraph, ...]:
        """The paragraphs in force at a version of the FAQ.

        What has no version on record is taken to have held always.
        """
        return tuple(each for each in self.paragraphs if each.holds_at(version))

    @property
    def changes(self) -> tuple[FaqChange, ...]:
        """What the FAQ changed, version by version, the oldest first."""
        versions = {
            version
            for each in self.paragraphs
            for version in (each.since, each.until)
            if version
        }
        return tuple(
            FaqChange(
                version,
                tuple(each for each in self.paragraphs if each.until == version),
                tuple(each for each in self.paragraphs if each.since == version),
            )
            for version in sorted(versions, key=VERSIONS.index)
        )
