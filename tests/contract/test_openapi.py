"""The API answers as its own description says, whatever is sent to it.

The number of examples an operation is that of the hypothesis profile;
``--hypothesis-profile=hunt`` looks for new ones, for hours.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, settings
from schemathesis import Case, HookContext
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.campaign.reading.prepared import import_guides
from arkham.rules.chaos import Token
from arkham.web.request_limits import Throttle
from arkham.wsgi import application
from campaigns import services as campaigns
from campaigns.guides.keeping import store_guides
from campaigns.models import Guide
from decks import services
from decks.api import examples
from decks.lists.content import read_content
from decks.models import Deck, Judgement
from tests.campaigns.helpers.tables import (
    a_campaign,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.campaigns.helpers.zips import guide_files
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

DECKS = r"^/api/v1/(decks|notices)/"
CAMPAIGNS = r"^/api/v1/campaigns/"
GUIDES = r"^/api/v1/guides/"
LIFE = r"^/api/v1/decks/[^/]+/(upgrade|desk)"


# Requests take long, and each operation has several tests: two thirds of the usual.
# One key and one deck serve every request to an operation.
TRIED = settings(
    max_examples=settings().max_examples * 2 // 3,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def _described() -> BaseSchema:
    """The API by its own description."""
    schema = schemathesis.openapi.from_wsgi("/api/schema", application)
    # Words of the source would be put where only searches or JSON texts are promised to
    # be taken: the generator does not hold them to our own formats.
    schema.config.analysis.constants.enabled = False
    # What is too long for its field may be too long for a body, and is refused as such.
    refused = schema.config.checks.negative_data_rejection
    refused.expected_statuses = [*refused.expected_statuses, "413"]
    return schema


schema = _described()
# The doors to what one has, where more is asked than a description can say.
own = _described()
own.config.generation.allow_x00 = False
# A request may be well formed and come too late, or twice; a tag that is none is no
# current one.
for check, status in (
    (own.config.checks.positive_data_acceptance, "409"),
    (own.config.checks.positive_data_acceptance, "412"),
    (own.config.checks.negative_data_rejection, "412"),
    (own.config.checks.missing_required_header, "428"),
):
    check.expected_statuses = [*check.expected_statuses, status]
# At a table much depends on what was said there before, and on who asks.
tables = _described()
tables.config.generation.allow_x00 = False
for check, statuses in (
    # 400: two operations are sent without their body, whatever it is described as.
    (
        tables.config.checks.positive_data_acceptance,
        ("400", "403", "404", "409", "422"),
    ),
    (tables.config.checks.negative_data_rejection, ("409",)),
):
    check.expected_statuses = [*check.expected_statuses, *statuses]
HEADERS = {"Accept-Encoding": "identity"}
# Of what is derived from the description of a long body (a deck: a thousand requests),
# the first are sent, and of the others one in four, without those that only leave out
# the key; when hunting, all.
FIRST, ONE_IN = 60, 4
HUNTS = settings().max_examples > 100
sent: Counter[str] = Counter()


def _call(
    case: Case[Any], headers: dict[str, str], *unchecked: Callable[..., Any]
) -> None:
    """Send a request and check the answer, but for ``unchecked``."""
    assert case.meta is not None
    if case.meta.phase.name == TestPhase.COVERAGE and not HUNTS:
        sent[case.operation.label] += 1
        number = sent[case.operation.label]
        if number > FIRST:
            if crc32(f"{case.operation.label} {number}".encode()) % ONE_IN:
                return
            unchecked = (*unchecked, ignored_auth)
    case.call_and_validate(headers=headers, excluded_checks=[*unchecked])


@schemathesis.hook
def map_query(
    context: HookContext, query: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Begin every list at its first page: no generator can sign a cursor.

    Cursors that are forged have tests of their own.
    """
    del context
    if query and isinstance(query.get("cursor"), str):
        query["cursor"] = ""
    return query


@pytest.fixture(autouse=True)
def _no_throttles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Throttle, "allow_request", lambda *_: True)


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """The transaction of a test outlives its requests, as with Django's own client."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def key(alice: User) -> str:
    """A key of Alice's that may write."""
    _key, text = accounts.make_key(
        owner=alice, name="contract", scope=ApiKey.Scope.WRITE, now=timezone.now()
    )
    return text


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck of Alice's, judged otherwise than before."""
    content = read_content(examples.WRITTEN)
    deck = services.create_deck(owner=alice, content=content, now=timezone.now())
    Judgement.objects.update(pool_version="older", experience=99)
    assert [each.changed for each in services.judge_again(now=timezone.now())] == [1]
    return deck


@pytest.mark.django_db
@schema.exclude(path_regex=f"{DECKS}|{CAMPAIGNS}|{GUIDES}").parametrize()
@TRIED
def test_every_operation_keeps_its_description(case: Case[Any]) -> None:
    """All of schemathesis's checks, none excluded but for what a batch holds.

    An item of a batch that is no deck is answered in its place.
    """
    is_batch = case.path.endswith("/batch") and isinstance(case.body, list)
    if case.path.endswith("/odds"):
        _name_tokens(case)
    _call(case, dict(HEADERS), *([negative_data_rejection] if is_batch else []))


def _name_tokens(case: Case[Any]) -> None:
    """Put tokens for the keys of a bag that is well formed: it could have any."""
    assert case.meta is not None
    body = case.body
    if case.meta.is_negative_at(ParameterLocation.BODY) or not isinstance(body, dict):
        return
    for key in {"bag", "sealed"} & body.keys():
        counts = body[key]
        if isinstance(counts, dict):
            kinds = [token.value for token in Token]
            body[key] = dict(zip(kinds, counts.values(), strict=False))


@pytest.fixture
def played(deck: Deck) -> Deck:
    """The same after a game."""
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=timezone.now()
    )
    return deck


@own.include(path_regex=LIFE).parametrize()
@TRIED
def test_the_doors_to_upgrades_keep_their_description(
    case: Case[Any], key: str, played: Deck
) -> None:
    """The same, for a deck that was played; well formed, the rules may refuse it."""
    _call_for(case, key, played, positive_data_acceptance)


@own.include(path_regex=DECKS).exclude(path_regex=LIFE).parametrize()
@TRIED
def test_the_doors_to_decks_keep_their_description(
    case: Case[Any], key: str, deck: Deck
) -> None:
    """The same, for an account that has a deck.

    A text may be no deck, a number no folder, and the deck may lack a card to exile.
    """
    may_be_refused = case.path.endswith(("/import", "/filing", "/games"))
    unchecked = [positive_data_acceptance] if may_be_refused else []
    _call_for(case, key, deck, *unchecked)


@pytest.fixture
def table(alice: User) -> dict[str, int]:
    """A campaign of Alice's in which a scenario was won, by what is sent of it."""
    made = a_campaign(alice, ROLAND)
    report(made, as_answers(who(ROLAND, DAISY), *won("one")))
    organiser = organiser_of(made)
    invited = campaigns.invite(campaign=made, member=organiser, now=timezone.now())
    return {
        "id": made.pk,
        "after": made.last,
        "guide": made.guide_id,
        "member": organiser.pk,
        "seat": made.seats.get().pk,
        "invitation": invited.pk,
    }


@tables.include(path_regex=CAMPAIGNS).parametrize()
@TRIED
def test_the_doors_to_campaigns_keep_their_description(
    case: Case[Any], key: str, table: dict[str, int]
) -> None:
    """The same, for somebody who organises a campaign."""
    headers = dict(HEADERS)
    if not _has_odd_headers(case):
        headers["Authorization"] = f"Bearer {key}"
    _sit_down(case, table)
    _call(case, headers)


def _sit_down(case: Case[Any], table: dict[str, int]) -> None:
    """Most requests that are well formed to what there is, each with its own name."""
    assert case.meta is not None
    path, body = case.path_parameters, case.body
    if not case.meta.is_negative_at(ParameterLocation.PATH):
        for name in table.keys() & path.keys():
            if not str(path[name]).endswith("0"):
                path[name] = table[name]
    if isinstance(body, dict) and not case.meta.is_negative_at(ParameterLocation.BODY):
        for name in {"after", "guide"} & body.keys():
            body[name] = table[name]
    spoilt = case.meta.is_negative_at(ParameterLocation.HEADER)
    if "Idempotency-Key" in case.headers and not spoilt:
        case.headers["Idempotency-Key"] = uuid.uuid4().hex
    if "If-Match" in case.headers and not spoilt:
        case.headers["If-Match"] = "*"


@pytest.fixture
def guide(alice: User) -> Guide:
    """A guide that Alice brought."""
    guide_import = import_guides(guide_files())
    done = store_guides(guide_import=guide_import, owner=alice, now=timezone.now())
    return done.guides[0].guide


@own.include(path_regex=GUIDES).parametrize()
@TRIED
def test_the_doors_to_guides_keep_their_description(
    case: Case[Any], key: str, guide: Guide
) -> None:
    """The same, for somebody who brought one; what is well formed is seldom a guide."""
    assert case.meta is not None
    headers = dict(HEADERS)
    if not _has_odd_headers(case):
        headers["Authorization"] = f"Bearer {key}"
    path = case.path_parameters
    if "id" in path and not case.meta.is_negative_at(ParameterLocation.PATH):
        path["id"] = guide.pk
    unchecked = [positive_data_acceptance] if case.method == "POST" else []
    _call(case, headers, *unchecked)


def _call_for(
    case: Case[Any], key: str, deck: Deck, *unchecked: Callable[..., Any]
) -> None:
    headers = dict(HEADERS)
    if not _has_odd_headers(case):
        headers["Authorization"] = f"Bearer {key}"
    _lead(case, deck)
    _call(case, headers, *unchecked)


def _has_odd_headers(case: Case[Any]) -> bool:
    """Whether some header was spoilt, nobody knows which: perhaps the key itself."""
    assert case.meta is not None
    fuzzed = case.meta.phase.name == TestPhase.FUZZING
    return fuzzed and case.meta.is_negative_at(ParameterLocation.HEADER)


def _lead(case: Case[Any], deck: Deck) -> None:
    """Most requests that are well formed to a deck there is, many in sight of it.

    Each has a name of its own: the generator gives one name to many.
    """
    assert case.meta is not None
    path, headers = case.path_parameters, case.headers
    if not case.meta.is_negative_at(ParameterLocation.PATH):
        notice = "/notices/{" in case.operation.path
        there_is = deck.notices.get().pk if notice else deck.pk
        for name, there in (("id", there_is), ("number", 1)):
            if name in path and not str(path[name]).endswith("0"):
                path[name] = there
    if not case.meta.is_negative_at(ParameterLocation.HEADER):
        if "Idempotency-Key" in headers:
            headers["Idempotency-Key"] = uuid.uuid4().hex
        if len(headers.get("If-Match", "")) % 4:
            headers["If-Match"] = "*"
