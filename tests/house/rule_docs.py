"""The text of docs/rules.md: one heading for each rule, drawn from the rules.

``python -m tests.house.rule_docs`` writes the file.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from arkham.rules.finding import Rule, Severity
from arkham.rules.legality import DECK_RULES
from arkham.rules.legality.identity import investigator_known
from arkham.rules.library import entry_of, library
from arkham.rules.library.links import KEEPING_RULES, KeepingRule
from arkham.rules.upgrade import UPGRADE_RULES
from arkham.rules.upgrade.price_rules import PRICE_RULES, PriceRule

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "rules.md"
DECKS = PROJECT / "tests" / "rules" / "corpus" / "decks"
UPGRADES = PROJECT / "tests" / "rules" / "corpus" / "upgrades"
RULES: tuple[Rule[Any], ...] = (investigator_known, *DECK_RULES)

HEAD = """\
# The rules of a deck

Every rule that judges a deck, in the order in which findings are read. The sentence is
the rule itself, as the code has it; *printed in* says where the game prints it,
*rows* are those of our catalogue of the rules. The examples are decks of the corpus
(`tests/rules/corpus/decks/<rule>/`), each with exactly the findings it deserves. Prices
and rules of upgrades follow, then those of keeping a log.
"""

PRICES_HEAD = """\
# The prices of a change of deck

Every way to have a card between two games. Each line of an invoice names one of these;
the total is the least they allow. The examples are changes of the corpus
(`tests/rules/corpus/upgrades/<rule>/`); a name that begins with `silent` shows where
the rule doesn't apply.
"""

UPGRADES_HEAD = """\
# The rules of a change of deck

What must not happen between two games. A finding never changes a price.
"""

KEEPING_HEAD = """\
# The rules of keeping a log

Rules about logs, tables and guides: Orne's own, except for those with rows. Each leads
to an entry of the rules library.
"""


def examples(rule_id: str) -> list[str]:
    """Names of the corpus files about a rule."""
    folders = (DECKS / rule_id, UPGRADES / rule_id)
    return sorted(path.stem for folder in folders for path in folder.glob("*.toml"))


@cache
def shown() -> dict[str, frozenset[str]]:
    """The severities with which the corpus shows each rule speak."""
    spoken: dict[str, set[str]] = {}
    for path in (*DECKS.glob("*/*.toml"), *UPGRADES.glob("*/*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        for finding in data.get("findings", []):
            spoken.setdefault(finding["rule"], set()).add(finding["severity"])
    return {rule_id: frozenset(words) for rule_id, words in spoken.items()}


def severities(rule_id: str) -> list[str]:
    """The severities of a rule, the gravest first."""
    grave_first = sorted(Severity, reverse=True)
    found = shown().get(rule_id, frozenset())
    return [each.word for each in grave_first if each.word in found]


def section(rule: Rule[Any] | PriceRule) -> str:
    """What the page says of one rule; a price has no severity."""
    cites = "; ".join(dict.fromkeys(str(each) for each in rule.cites))
    files = ", ".join(f"`{name}`" for name in examples(rule.id))
    severity = ""
    if isinstance(rule, Rule):
        severity = f"- Severity: {', '.join(severities(rule.id))}\n"
    return (
        f"## `{rule.id}`\n\n{rule.sentence}\n\n"
        f"{severity}"
        f"- Printed in: {cites}\n"
        f"- Rows: {', '.join(rule.rows)}\n"
        f"- Examples: {files}\n"
    )


def kept(rule: KeepingRule) -> str:
    """What the page says of a rule of keeping: no more than the library has it from."""
    entry = entry_of(library(), rule.id)
    slug = entry.slug if entry else ""
    rows = f"- Rows: {', '.join(rule.rows)}\n" if rule.rows else ""
    return f"## `{rule.id}`\n\n{rule.sentence}\n\n{rows}- Entry: `/rules/{slug}/`\n"


def page() -> str:
    """The whole page."""
    return "\n".join(
        [
            HEAD,
            *map(section, RULES),
            PRICES_HEAD,
            *map(section, PRICE_RULES.values()),
            UPGRADES_HEAD,
            *map(section, UPGRADE_RULES),
            KEEPING_HEAD,
            *map(kept, KEEPING_RULES),
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
