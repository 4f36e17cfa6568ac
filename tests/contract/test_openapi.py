"""The API answers as its own description says, whatever is sent to it.

The number of examples an operation is that of the hypothesis profile: few by default,
``--hypothesis-profile=thorough`` for 200.
"""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from rest_framework.throttling import SimpleRateThrottle
from schemathesis import Case

from arkham.wsgi import application

schema = schemathesis.openapi.from_wsgi("/api/schema", application)
# Words of the source would be put where only searches or JSON texts are promised to
# be taken: the generator does not hold them to our own formats.
schema.config.analysis.constants.enabled = False
# What is too long for its field may be too long for a body, and is refused as such.
refused = schema.config.checks.negative_data_rejection
refused.expected_statuses = [*refused.expected_statuses, "413"]


@pytest.fixture(autouse=True)
def _no_throttles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


@pytest.mark.django_db
@schema.parametrize()
def test_every_operation_keeps_its_description(case: Case[Any]) -> None:
    """All of schemathesis's checks, none excluded."""
    case.call_and_validate(headers={"Accept-Encoding": "identity"})
