"""Filters of the card pages: printed text, choices in words."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from arkham.rules.vocabulary import BoxChoice
from cardpool.markup import rendered, rendered_line
from cardpool.words import CHOICES, Words, capitals

register = template.Library()


@register.filter
def printed(text: str) -> SafeString:
    """Printed text as paragraphs."""
    return rendered(text)


@register.filter
def with_signs(line: str) -> SafeString:
    """A line of a gist, its symbols drawn."""
    return rendered_line(line)


@register.filter
def in_words(choice: BoxChoice) -> Words:
    """What a box of an upgrade sheet asks its owner to write down."""
    return CHOICES[choice]


@register.filter
def capital(words: str) -> str:
    """Words with capital letters, as traits and classes are printed."""
    return capitals(words)
