"""Pieces of a page that its reader has already, and that need not be sent again.

A page that is changed in place gives its pieces marks (``data-mark``). Its script sends
those of the pieces it shows with every change. Where the answer would hold a piece of
one of these marks it has an empty element of the same id with ``hx-preserve``, and
htmx puts the piece that is there in its place.
"""

from __future__ import annotations

from hashlib import blake2b

from django.http import HttpRequest

SIZE = 8  # letters
MOST = 1_000  # pieces of one page


def mark_of(*shown: object) -> str:
    """Letters that differ where anything of this differs."""
    return blake2b(repr(shown).encode(), digest_size=SIZE // 2).hexdigest()


def marks_sent(request: HttpRequest, edition: str) -> frozenset[str]:
    """The marks of the pieces that the page shows.

    None of them if it was made in another ``edition``: what all its pieces depend on.
    """
    of, _dot, marks = request.POST.get("shows", "").partition(".")
    if of != edition:
        return frozenset()
    ends = range(SIZE, min(len(marks), MOST * SIZE) + 1, SIZE)
    return frozenset(marks[end - SIZE : end] for end in ends)
