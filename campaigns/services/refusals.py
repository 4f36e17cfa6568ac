"""Why nothing was written: what a service raises, with every reason at once."""

from __future__ import annotations

from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _


class Refused(Exception):
    """What was reported cannot be so; ``findings`` say why, all at once."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(each.rule or each.message for each in findings))
        self.findings = findings


class KeyReused(Refused):
    """Something else was written under this key before."""

    def __init__(self) -> None:
        message = _("Something else was written from this form before. Look again.")
        super().__init__(Finding(message, rule="log.key"))


class LogFull(Refused):
    """No campaign is so long."""

    def __init__(self) -> None:
        super().__init__(Finding(_("The log is full."), rule="log.full"))
