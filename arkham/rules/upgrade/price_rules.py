"""The rules that give a copy or a box its price.

Every line of an invoice names one of these. How the least is found is in ``plain``,
``weighing``, ``sheet_plans`` and ``assembly``; here is what is printed.
"""

from __future__ import annotations

from dataclasses import dataclass

from arkham.rules.finding import (
    Citation,
    faq,
    gettext_noop,
    printed,
    rules_reference,
)

_PLAY = rules_reference("Campaign Play")
_SHEETS = rules_reference("Customizable")


@dataclass(frozen=True, slots=True)
class PriceRule:
    """A way to have a card, and what it costs.

    ``sentence`` is the rule in the game's own terms; ``rows`` are the rows of the rule
    book it implements, ``cites`` the printed sections.
    """

    id: str
    sentence: str
    rows: tuple[str, ...]
    cites: tuple[Citation, ...]


PRICE_RULES: dict[str, PriceRule] = {
    row.id: row
    for row in (
        PriceRule(
            "price.purchase",
            gettext_noop(
                "A new card costs its level, doubled if it is exceptional, with the "
                "change of the list of taboos, and 1 experience at least."
            ),
            ("XP-04", "XP-05", "XP-11", "XP-13", "XP-16", "XP-17", "XP-18", "XP-30",
             "XP-39", "XP-40", "XP-45", "XP-46", "KW-02", "KW-22", "TABOO-05"),
            (_PLAY, rules_reference("Exceptional"), faq("1.8"),
             faq("The List of Taboos")),
        ),
        PriceRule(
            "price.upgrade",
            gettext_noop(
                "An upgrade costs the difference between the two versions, and "
                "1 experience at least; the lower version leaves the deck."
            ),
            ("XP-08", "XP-09", "XP-10", "XP-11", "XP-16", "XP-17", "XP-41", "KW-04",
             "TABOO-05"),
            (_PLAY, faq("1.8"), faq("On Your Own")),
        ),
        PriceRule(
            "price.kept-lower",
            gettext_noop(
                "Some investigators may pay a higher version in full and keep the "
                "lower one beside the deck: an upgrade all the same."
            ),
            ("XP-08",),
            (printed("Agnes Baker (parallel)", "90017"),
             printed("“Skids” O’Toole (parallel)", "90008")),
        ),
        PriceRule(
            "price.second-copy",
            gettext_noop(
                "With Shrewd Analysis, a second copy of an unidentified or "
                "untranslated card is upgraded along with the first for nothing."
            ),
            ("XP-12",),
            (printed("Shrewd Analysis", "04106"),),
        ),
        PriceRule(
            "price.refill",
            gettext_noop(
                "Cards of level 0 fill the places of cards lost by exile or force, and "
                "those of a deck that grew, for nothing."
            ),
            ("XP-15", "XP-44", "XP-47", "DECK-16", "DECK-17", "KW-20", "TABOO-11",
             "TABOO-15"),
            (faq("1.18"),),
        ),
        PriceRule(
            "price.swap",
            gettext_noop(
                "Adaptable exchanges cards of level 0 for others of level 0 for "
                "nothing."
            ),
            ("XP-12", "XP-13"),
            (printed("Adaptable", "02110"), faq("1.37")),
        ),
        PriceRule(
            "price.myriad",
            gettext_noop(
                "With a myriad card bought, up to two more copies of its title and "
                "level come along for nothing."
            ),
            ("KW-11", "KW-26", "XP-42"),
            (rules_reference("Myriad"),),
        ),
        PriceRule(
            "price.boxes",
            gettext_noop(
                "Boxes marked on the sheet of a card in the deck cost 1 experience "
                "each, once for all its copies: one upgrade."
            ),
            ("CUST-02", "CUST-03", "CUST-04", "CUST-05", "CUST-09", "CUST-10",
             "CUST-19", "XP-43"),
            (_SHEETS, faq("Down the Rabbit Hole")),
        ),
        PriceRule(
            "price.sheet",
            gettext_noop(
                "Copies of a customizable card that is not in the deck are bought with "
                "boxes marked for 1 experience a box, once for all: one purchase."
            ),
            ("CUST-11", "CUST-14", "XP-43"),
            (_SHEETS, faq("Customizable")),
        ),
        PriceRule(
            "price.with-sheet",
            gettext_noop(
                "Further copies bought together with the boxes of their sheet cost "
                "nothing more."
            ),
            ("CUST-11",),
            (_SHEETS,),
        ),
        PriceRule(
            "price.regained",
            gettext_noop(
                "A further copy of a customizable card with marked boxes is bought as "
                "its sheet stands."
            ),
            ("CUST-15", "CUST-23"),
            (faq("Customizable"),),
        ),
        PriceRule(
            "price.with-box",
            gettext_noop(
                "A further copy of a customizable card with marked boxes comes for "
                "nothing when another box is marked."
            ),
            ("CUST-15", "CUST-23"),
            (faq("Customizable"),),
        ),
    )
}  # fmt: skip
