"""The rules of campaigns: what happened at the table, and what follows from it.

``reading`` makes a guide of files (and ``lint`` says what is wrong with it), ``model``
is what a guide says. ``replay.fold`` folds a log of ``answers`` over a guide into a
``state``; ``asking`` says what is asked next, ``answering`` whether an answer may be
given, ``settlement`` what it would change, ``explaining`` why a value is what it is.

Inside a fold ``run`` walks the steps of one scenario (``walking``, ``prompts`` …),
``deciding`` chooses the options of conditions, ``applying`` does what effects say.
"""

from __future__ import annotations
