"""A judged deck as pages show it: its verdict, findings and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.rules.card import Card
from arkham.rules.checking import JudgeRequest
from arkham.rules.finding import Finding, Severity, worst_first
from arkham.rules.investigator import option_label
from arkham.rules.legality import Judge, Verdict, check
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole, Line, Standing
from arkham.web.language import worded
from cardpool.relations import shown_distinct
from cardpool.shown import ShownCard, with_pictures
from cardpool.words import CLASSES, capitals
from decks.lists.content import Content, remark_on
from decks.pages.arrangement import DeckArrangement, RowGroup, arranged
from decks.pages.notes import Note, notes_of
from decks.pages.rows import (
    AdmittedCopies,
    Row,
    SideEntry,
    Words,
    class_signs,
    held_of,
    most_copies_in,
)
from decks.pages.set_up import AttachedCards, ShownSetup, set_apart, shown_setup
from decks.pages.sheets import SheetLine, sheet_lines

SHORT, SIZE = "owned.short", "deck.size"
MOST_NOTES = 100  # a deck with more findings is past saving

STATUSES: dict[str, Words] = {
    "legal": gettext_lazy("Legal"),
    "incomplete": gettext_lazy("Incomplete"),
    "illegal": gettext_lazy("Illegal"),
}
_AT_WORST = {Severity.ILLEGAL: "illegal", Severity.INCOMPLETE: "incomplete"}
# Reasons why a card needs no deckbuilding option.
GROUNDS: dict[str, Words] = {
    "required": gettext_lazy("Required by the investigator"),
    "weakness": gettext_lazy("A weakness, drawn or gained"),
    "story": gettext_lazy("A story card, earned in play"),
    "set-aside": gettext_lazy("Added by an effect; doesn’t count toward deck size"),
    "none": gettext_lazy("Not allowed by any option"),
}


class Judged:
    """A deck with its verdict, ready to be shown.

    ``extra`` are findings of other rules, shown before the verdict's of equal
    severity; ``owned`` the owner's copies, for advice if the circumstances name none;
    ``view`` how its rows are arranged.
    """

    def __init__(
        self,
        content: Content,
        judge: Judge,
        owned: Mapping[str, int] | None = None,
        *,
        extra: tuple[Finding, ...] = (),
        view: DeckArrangement | None = None,
    ) -> None:
        self.content = content
        self.judge = judge
        self.pool = judge.pool
        self.asked: JudgeRequest = content.asked()
        if owned is not None and self.asked.circumstances.owned is None:
            terms = replace(self.asked.circumstances, owned=owned)
            self.asked = self.asked._replace(circumstances=terms)
        self.verdict: Verdict = check(judge, self.asked.deck, self.asked.circumstances)
        self.extra = extra
        self.view = view or DeckArrangement()

    @cached_property
    def built(self) -> BuiltDeck | None:
        """The deck in the frame it was judged in; None without an investigator."""
        assumed = {
            str(values["key"]): str(values["assumed"])
            for finding in self.verdict.findings
            if finding.rule == "choice.assumed"
            for values in (dict(finding.values),)
        }
        deck = self.asked.deck
        if assumed:
            deck = deck._replace(choices={**deck.choices, **assumed})
        return next(self.judge.builds(deck, self.asked.circumstances), None)

    @property
    def frame(self) -> Frame | None:
        """Everything known about the deck apart from its cards."""
        return self.built.frame if self.built else None

    @property
    def investigator(self) -> Card | None:
        """The investigator card, if there is such a card."""
        if self.frame is not None:
            return self.frame.front
        return self.pool.get_card(self.asked.deck.investigator)

    @property
    def back(self) -> Card | None:
        """The investigator card whose deckbuilding rules apply."""
        return self.frame.back if self.frame else None

    @property
    def chosen(self) -> list[str]:
        """Choices made for the investigator: parallel sides, a class, a size."""
        if self.frame is None:
            return []
        sides = (self.frame.front, self.frame.back)
        front, back = (bool(s.investigator and s.investigator.parallel) for s in sides)
        said = [_("Parallel")] if front and back else []
        if front != back:
            said.append(_("Parallel front") if front else _("Parallel back"))
        for choice in self.frame.printed_back.choices:
            value = self.asked.deck.choices.get(choice.key, "")
            if choice.kind == "size" and value:
                said.append(_("Deck size %(size)s") % {"size": value})
            elif value:
                said.append(str(CLASSES.get(value) or capitals(value)))
        return said

    @property
    def status(self) -> str:
        """``legal``, ``incomplete`` or ``illegal``."""
        worst = max((each.severity for each in self.extra), default=Severity.ADVICE)
        if worst is Severity.ILLEGAL or self.verdict.status == "legal":
            return _AT_WORST.get(worst, self.verdict.status)
        return self.verdict.status

    @property
    def status_word(self) -> Words:
        """The status in the reader's language."""
        return STATUSES[self.status]

    @property
    def size_words(self) -> str:
        """How many cards count, and the required deck size if it is known."""
        size, required = self.verdict.deck_size, self.verdict.deck_size_required
        if not required:
            said = ngettext("%(size)d card", "%(size)d cards", size)
            return said % {"size": size}
        said = _("%(size)d of %(required)d cards")
        return said % {"size": size, "required": required}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings in the order shown, worst first."""
        return worst_first((*self.extra, *self.verdict.findings))

    @cached_property
    def _listed_findings(self) -> tuple[Finding, ...]:
        """The listed findings; rows themselves show which cards aren't owned.

        The deck size is next to the verdict, so its finding comes last of its severity.
        """
        shown = (each for each in self.findings if each.rule != SHORT)
        return tuple(
            sorted(shown, key=lambda each: (-each.severity, each.rule == SIZE))
        )

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The listed findings, worst first."""
        return notes_of(self._listed_findings[:MOST_NOTES], self.pool, self.built)

    @property
    def notes_left_out(self) -> int:
        """How many findings are not shown."""
        return max(len(self._listed_findings) - MOST_NOTES, 0)

    @cached_property
    def shortage(self) -> str:
        """How many copies the player does not own, in a sentence; "" for none."""
        short = [row for row in self.rows if row.short]
        if not short:
            return ""
        missing = sum(row.copies - (row.held or 0) for row in short)
        said = ngettext(
            "%(copies)d copy is missing from your collection (%(cards)s).",
            "%(copies)d copies are missing from your collection (%(cards)s).",
            missing,
        )
        cards = ngettext("%(cards)d card", "%(cards)d cards", len(short))
        return said % {"copies": missing, "cards": cards % {"cards": len(short)}}

    @property
    def serious(self) -> int:
        """How many findings are more than advice."""
        return sum(finding.severity is not Severity.ADVICE for finding in self.findings)

    @cached_property
    def apart(self) -> dict[str, AttachedCards]:
        """Attached cards by the card, or investigator, that they are attached to."""
        if self.frame is None or not self.frame.attachments:
            return {}
        return set_apart(self.judge, self.asked, self.frame)

    @property
    def signs(self) -> tuple[str, ...]:
        """The names of the class icons of the investigator."""
        return class_signs(self.investigator)

    @property
    def second_deck(self) -> list[SideEntry]:
        """The cards of the second deck, by name."""
        return self._entries(self.asked.deck.side_deck)

    @property
    def second_size(self) -> int:
        """How many cards the second deck has."""
        return sum(self.asked.deck.side_deck.values())

    @property
    def considered(self) -> list[SideEntry]:
        """The cards of the player's side deck, by name."""
        return self._entries(self.asked.deck.considered)

    def _entries(self, listed: Mapping[str, int]) -> list[SideEntry]:
        entries = [
            SideEntry(code, self.pool.get_card(code), copies)
            for code, copies in listed.items()
        ]
        return sorted(entries, key=lambda each: (each.name.casefold(), each.code))

    @cached_property
    def setup(self) -> ShownSetup | None:
        """The setup before the first turn; None without an investigator."""
        return shown_setup(self.built) if self.built else None

    @property
    def sheets(self) -> list[Row]:
        """The rows with an upgrade sheet."""
        return [row for row in self.rows if row.sheet and row.card]

    @property
    def hunch_deck(self) -> AttachedCards | None:
        """The hunch deck, if the investigator has one."""
        return self.apart.get(self.back.code) if self.back else None

    @cached_property
    def options(self) -> dict[str, Words]:
        """Labels of everything that may allow a card, by id."""
        labels: dict[str, Words] = dict(GROUNDS)
        if self.frame is not None:
            labels |= {
                option.id: worded(option_label(option)) for option in self.frame.options
            }
        return labels

    @cached_property
    def _limited(self) -> frozenset[str]:
        """The ids of options that allow a limited number of cards."""
        options = self.frame.options if self.frame else ()
        return frozenset(each.id for each in options if each.limit is not None)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every entry of the deck, ordered by code."""
        at_cards: dict[str, list[Note]] = {}
        for note in self.notes:
            for code in note.cards:
                at_cards.setdefault(code, []).append(note)
        lines = self.built.lines if self.built else self._unbuilt_lines()
        return tuple(self._row(line, at_cards.get(line.code, [])) for line in lines)

    @cached_property
    def groups(self) -> tuple[RowGroup, ...]:
        """The rows under their headings, as the reader wants them."""
        return arranged(self.rows, self.view, self.pool)

    def _row(self, line: Line, notes: list[Note]) -> Row:
        shares = self.verdict.assignment.get(line.code, ())
        card = line.standing.card
        return Row(
            code=line.code,
            card=card,
            copies=line.copies + line.set_aside,
            aside=line.set_aside,
            standing=line.standing,
            admitted=tuple(
                AdmittedCopies(
                    share.copies,
                    self.options.get(share.option, share.option),
                    share.option in self._limited,
                    share.option not in GROUNDS,
                )
                for share in shares
            ),
            notes=tuple(notes),
            sheet=self._sheet(line),
            apart=self.apart.get(card.code) if card else None,
            subtitle=shown_distinct(card, self.pool) if card else "",
            most=most_copies_in(self.frame, line.standing),
            remark=remark_on(self.content, line.code),
            held=held_of(card, self.asked.circumstances.owned),
            elsewhere=self._elsewhere(line.code, card),
            face=self._faces.get(card.code) if card else None,
            look=self.view.look,
        )

    def _elsewhere(self, code: str, card: Card | None) -> int:
        """Count the copies of a card that are listed as other printings."""
        printings = {each.code for each in card.printings} if card else set()
        entries = self.asked.deck.entries
        return sum(entries[each] for each in printings & entries.keys() - {code})

    @cached_property
    def _faces(self) -> dict[str, ShownCard]:
        """The cards as images, if the reader chose that look."""
        if self.view.look != "faces":
            return {}
        cards = map(self.pool.get_card, self.asked.deck.entries)
        return with_pictures(filter(None, cards), self.pool)

    def _sheet(self, line: Line) -> tuple[SheetLine, ...]:
        """Return the upgrade sheet of a card, as changed by the taboo list."""
        card, sheet = line.standing.card, line.standing.sheet
        return sheet_lines(sheet, line.marks, card, self.pool) if card else ()

    def _unbuilt_lines(self) -> Iterator[Line]:
        """Yield the entries of a deck without an investigator, by code only."""
        for code, copies in sorted(self.asked.deck.entries.items()):
            card = self.pool.get_card(code)
            standing = Standing(card, CardRole.ORDINARY if card else CardRole.UNKNOWN)
            yield Line(code, copies, 0, standing, ())
