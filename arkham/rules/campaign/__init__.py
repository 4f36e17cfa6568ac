"""The rules of campaigns: what happened at the table, and what follows from it.

``reading`` builds a guide from files (``lint`` lists its flaws); ``model`` defines what
a guide consists of. ``interpreter.replay.fold`` folds a log of ``state.answers`` over a
guide into a ``State``. ``asking`` describes the next question, ``judging`` decides
whether an answer is allowed, ``settlement`` computes what it would change.

During a fold, ``run`` walks the steps of one scenario (``walking``, ``prompts``),
``conditions`` chooses the options of branches and ``effects`` changes the state.
"""

from __future__ import annotations
