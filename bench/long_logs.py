"""Tables with long logs to measure, in whatever database the settings name.

``python -m bench.long_logs`` measures them in a process of its own, as JSON.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.timing import each_seconds, percentile

if TYPE_CHECKING:
    from django.test import Client

    from arkham.accounts.models import User
    from campaigns.models import Campaign, Membership

Run = dict[str, Any]
LONG = 300  # entries of a log
MANY, SHORT = 30, 100  # campaigns for statistics, and entries of each at least
TIMES = 60


class Tables(NamedTuple):
    """Who measures, and what: a long log, one about to settle a game and how."""

    client: Client
    long: int
    settling: int
    settles: dict[str, str]


def laid(visitor: Callable[[], Client], folder: Path) -> Tables:
    """The tables, made of recorded runs; the guides of the folder are taken in."""
    visitor()
    from django.core.management import call_command
    from django.test import Client

    from arkham.accounts.models import User

    keeper, _made = User.objects.get_or_create(username="keeper")
    call_command("import_guides", str(folder), "--for=keeper", stdout=io.StringIO())
    lines = (folder / "cases.jsonl").read_text().splitlines()
    runs = [json.loads(line) for line in lines]
    alone = [run for run in runs if not run["linked_inputs"] and not run["standalone"]]
    fitting = [run for run in alone if len(run["inputs"]) < LONG]
    longest = max(fitting, key=lambda run: len(run["inputs"]))
    long = _imported(keeper, longest)
    settling, settles = _about_to_settle(keeper, long)
    _filled(long, LONG)
    for run in islice(cycle(alone), MANY):
        _filled(_imported(keeper, run), SHORT)
    client = Client(headers={"accept-encoding": "gzip"}, SERVER_NAME="localhost")
    client.force_login(keeper)
    return Tables(client, long.pk, settling.pk, settles)


def _imported(keeper: User, run: Run) -> Campaign:
    from django.utils import timezone

    from campaigns import queries, services
    from campaigns.people.table import Visitor

    usable = queries.usable_guides(Visitor(keeper))
    outcome = services.import_backup(
        organiser=keeper, data=run, usable=usable, now=timezone.now()
    )
    (restored,) = outcome.restored
    return restored.campaign


def _filled(campaign: Campaign, entries: int) -> None:
    """So many entries at least: facts of the first scenario make them up."""
    from django.utils import timezone

    from arkham.rules.campaign.model import effects as do
    from arkham.rules.campaign.state.answers import Stated
    from campaigns.log import store as log
    from campaigns.log.replays import replayed

    begun = replayed(campaign).replay.scenarios[0].id
    facts = [
        Stated(begun, do.LogText("campaign_notes"), (f"Line {number}",), (), "Bench")
        for number in range(entries - campaign.last)
    ]
    if facts:
        now = timezone.now()
        log.append(campaign, facts, after=campaign.last, author=None, now=now)


def _about_to_settle(
    keeper: User, campaign: Campaign
) -> tuple[Campaign, dict[str, str]]:
    """A copy that waits for the last answer of its last game, and that answer."""
    from django.utils import timezone

    from arkham.rules.campaign.state.answers import Answer
    from campaigns import services
    from campaigns.log import store as log

    now = timezone.now()
    member = campaign.memberships.get(user=keeper)
    for entry in reversed(log.entries(campaign)):
        if not isinstance(entry, Answer) or entry.kind not in ("count", "choice"):
            continue
        twin = services.branch(
            campaign=campaign,
            member=member,
            now=now,
            up_to=entry.sequence - 1,
            name="Before",
        )
        sitting = twin.memberships.get(user=keeper)
        sent = _settling(sitting, entry.value)
        if sent:
            _filled(twin, LONG)
            return twin, {**sent, "after": str(twin.last), "key": "bench"}
        twin.delete()
    raise LookupError("No answer of this run settles a game.")


def _settling(sitting: Membership, value: int) -> dict[str, str]:
    """The fields of an answer that settles a game; none where it does not."""
    from django.http import QueryDict

    from campaigns import services
    from campaigns.pages.board import board_of
    from campaigns.questions.asking import answer_of
    from campaigns.questions.question import Misfilled
    from campaigns.settling.outcome import is_settled

    board = board_of(sitting)
    question = board.question
    if question is None or not question.fields or question.is_upgrade:
        return {}
    offers = question.pending.offers if question.pending.kind == "choice" else ()
    option = next((each.id for each in offers if each.number == value), str(value))
    data = QueryDict(mutable=True)
    data[question.fields[0].name] = option
    try:
        given = answer_of(board.asking, question, data)
    except Misfilled:  # something else is asked before it
        return {}
    after = services.preview(campaign=sitting.campaign, given=[given]).pending
    if after is None:
        return {}
    replay = board.known.replay._replace(pending=after)
    settled = is_settled(replay, given.scenario, "started")
    return {question.fields[0].name: option} if settled else {}


def times(ask: Callable[[], Any], expected: Iterable[int]) -> list[float]:
    """How long it took each time, in milliseconds, after one to warm up."""
    wanted = tuple(expected)

    def asked() -> None:
        answer = ask()
        assert answer.status_code in wanted, answer.status_code

    asked()
    return [each * 1_000 for each in each_seconds([asked] * TIMES)]


def measured(tables: Tables) -> dict[str, list[float]]:
    """What members of these tables ask for, by a name, in milliseconds each time."""
    from campaigns import queries

    client = tables.client
    home, settling = f"/campaigns/{tables.long}/", f"/campaigns/{tables.settling}/"

    def preview() -> Any:
        return client.post(settling, tables.settles)

    poll = f"{home}news?after={LONG}"
    mark = queries.marks_of([tables.long])[tables.long]
    scenario_poll = f"{home}scenario/news?mark={mark}"
    return {
        "campaign": times(lambda: client.get(home), [200]),
        "campaign_log": times(lambda: client.get(f"{home}log/"), [200]),
        "campaign_timeline": times(lambda: client.get(f"{home}timeline/"), [200]),
        "settlement_preview": times(preview, [200]),
        "poll_unchanged": times(lambda: client.get(poll), [204]),
        "scenario_poll_unchanged": times(lambda: client.get(scenario_poll), [204]),
        "statistics": times(lambda: client.get("/campaigns/statistics/"), [200]),
    }


def main(arguments: list[str]) -> None:
    """Measure, and print the 95th percentiles."""
    from bench.site import visitor

    found = measured(laid(visitor, Path(arguments[0])))
    print(json.dumps({name: percentile(each, 95) for name, each in found.items()}))


if __name__ == "__main__":
    main(sys.argv[1:])
