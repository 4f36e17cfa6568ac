"""Parse the text of a search to a tree of conditions, or raise QueryError."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import cast

from django.utils.translation import gettext as _
from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from cardpool.search.lexicon import QueryError, refusal_of

LONGEST = 1_000  # characters
DEEPEST = 20  # levels of parentheses and negations
MOST_CONDITIONS = 60


@dataclass(frozen=True, slots=True)
class SearchValue:
    """A word or quoted text, the column it begins at, and its length as typed."""

    text: str
    column: int
    length: int = field(default=0, compare=False)

    @property
    def end(self) -> int:
        """The column after its last character, quotation marks included."""
        return self.column + (self.length or len(self.text))


@dataclass(frozen=True, slots=True)
class Name:
    """Part of a card's name; one of the values is enough.

    ``bare`` is a single word without quotation marks or parentheses around it.
    """

    values: tuple[SearchValue, ...]
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """``key operator value|value``: one of the values is enough."""

    key: SearchValue
    operator: str
    values: tuple[SearchValue, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The cards that the term doesn't match."""

    term: Term


@dataclass(frozen=True, slots=True)
class And:
    """The cards that all terms match."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """The cards that any of the terms matches."""

    terms: tuple[Term, ...]


Term = Name | Condition | Not | And | Or

EVERYTHING = And(())


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", transformer=_Builder())


def parse(text: str) -> Term:
    """Return the tree of a search; an empty one finds everything.

    Raises QueryError if the text is too long, too deep, or not in the language.
    """
    if len(text) > LONGEST:
        raise QueryError(
            LONGEST + 1,
            _("A search can have at most %(most)d characters.") % {"most": LONGEST},
            found=text[LONGEST : LONGEST + 20],
            expected=_("the end of the search"),
            suggestion="",
        )
    try:
        # The parser builds our tree as it goes.
        term = cast("Term", _parser().parse(text))
    except UnexpectedInput as error:
        raise refusal_of(text, error) from error
    _measure(term)
    return term


def all_of(*terms: Term) -> Term:
    """Join the terms so that all must match."""
    flat: list[Term] = []
    for term in terms:
        flat.extend(term.terms if isinstance(term, And) else (term,))
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def terms_of(term: Term) -> tuple[Term, ...]:
    """Return the terms that must all match."""
    return term.terms if isinstance(term, And) else (term,)


def conditions(term: Term) -> Iterator[Name | Condition]:
    """Yield the conditions of a tree, from left to right."""
    match term:
        case Name() | Condition():
            yield term
        case Not(inner):
            yield from conditions(inner)
        case And(terms) | Or(terms):
            for each in terms:
                yield from conditions(each)


def written(term: Term) -> str:
    """Return a text that is parsed to the term, or to one that finds the same."""
    match term:
        case Name(values, bare):
            return values[0].text if bare else "|".join(f'"{e.text}"' for e in values)
        case Condition(key, operator, values):
            return f"{key.text}{operator}{'|'.join(map(_quoted, values))}"
        case Not(inner):
            return f"-({written(inner)})"
        case And(terms):
            return " ".join(map(_in_parentheses, terms))
        case Or(terms):
            return " OR ".join(map(_in_parentheses, terms))


def _in_parentheses(term: Term) -> str:
    return f"({written(term)})" if isinstance(term, And | Or) else written(term)


def _quoted(value: SearchValue) -> str:
    return value.text if value.text.isalnum() else f'"{value.text}"'


# -- building the tree --


@dataclass(frozen=True, slots=True)
class _Choice:
    """Terms and the joints between them, before it is known if an "or" is a word."""

    terms: tuple[Term, ...]
    joints: tuple[Token, ...]

    def joined(self) -> Term:
        """Join the terms by every "or", as in parentheses."""
        return self.terms[0] if len(self.terms) == 1 else Or(self.terms)

    def named(self) -> Term:
        """Join the terms; a lower-case "or" between bare words is part of the name."""
        terms = [self.terms[0]]
        for joint, term in zip(self.joints, self.terms[1:], strict=True):
            if joint.type == "SMALL_OR" and _of_one_name(terms[-1], term):
                terms[-1] = all_of(terms[-1], _bare(joint), term)
            else:
                terms.append(term)
        return terms[0] if len(terms) == 1 else Or(tuple(terms))


@v_args(inline=True)
class _Builder(Transformer[Token, Term]):
    """Builds our tree from the parser's."""

    def start(self, choice: _Choice | None) -> Term:
        return EVERYTHING if choice is None else choice.named()

    def either(self, *parts: Term | Token) -> _Choice:
        terms = tuple(part for part in parts if not isinstance(part, Token))
        joints = tuple(part for part in parts if isinstance(part, Token))
        return _Choice(terms, joints)

    def both(self, *parts: Token | Term) -> Term:
        terms: list[Term] = []
        for index, part in enumerate(parts):
            if not isinstance(part, Token):
                terms.append(part)
                continue
            after = parts[index + 1]
            assert not isinstance(after, Token)
            if part.type == "SMALL_AND" and _of_one_name(terms[-1], after):
                terms.append(_bare(part))
        return all_of(*terms)

    def not_(self, _minus: Token, term: Term) -> Term:
        return Not(term)

    def group(self, choice: _Choice) -> Term:
        term = choice.joined()
        # A name in parentheses is no longer bare.
        return replace(term, bare=False) if isinstance(term, Name) else term

    def condition(self, key: Token, operator: Token, *values: SearchValue) -> Term:
        return Condition(_value(key), operator.strip(), values)

    def name(self, *values: Token) -> Term:
        bare = len(values) == 1 and values[0].type == "WORD"
        return Name(tuple(_value(value) for value in values), bare)

    def value(self, token: Token) -> SearchValue:
        return _value(token)

    def word(self, token: Token) -> Token:
        return token


# A rule of the grammar is named by a Python keyword.
setattr(_Builder, "not", _Builder.not_)


def _value(token: Token) -> SearchValue:
    text = token[1:-1] if token.type == "QUOTED" else str(token)
    return SearchValue(text, (token.start_pos or 0) + 1, len(token))


def _bare(token: Token) -> Name:
    return Name((_value(token),), bare=True)


def _of_one_name(left: Term, right: Term) -> bool:
    """Return True if the adjacent terms of both sides are bare words."""
    last = left.terms[-1] if isinstance(left, And) and left.terms else left
    first = right.terms[0] if isinstance(right, And) and right.terms else right
    return all(isinstance(each, Name) and each.bare for each in (last, first))


def _measure(term: Term) -> None:
    """Refuse a search that is nested too deeply or has too many conditions."""
    if _depth(term) > DEEPEST:
        raise QueryError(
            1,
            _("Parentheses and minus signs are nested more than %(most)d deep.")
            % {"most": DEEPEST},
            found="",
            expected=_("fewer parentheses"),
            suggestion="",
        )
    asked = list(conditions(term))
    if len(asked) > MOST_CONDITIONS:
        over = asked[MOST_CONDITIONS]
        place = over.key if isinstance(over, Condition) else over.values[0]
        raise QueryError(
            place.column,
            _("A search can have at most %(most)d conditions.")
            % {"most": MOST_CONDITIONS},
            found=place.text,
            expected=_("the end of the search"),
            suggestion="",
        )


def _depth(term: Term) -> int:
    """Return how deeply a tree is nested, computed without recursion."""
    deepest, level = 0, [term]
    while level:
        deepest += 1
        below: list[Term] = []
        for each in level:
            match each:
                case Not(inner):
                    below.append(inner)
                case And(terms) | Or(terms):
                    below.extend(terms)
        level = below
    return deepest
