"""The check_decks command: one result for each line, in order, for any input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from arkham.rules import shell
from arkham.rules.checking import Outcome, check_line
from arkham.rules.deck import Circumstances, Environment
from arkham.rules.legality import Judge, judge_of
from arkham.rules.notation.reading import MOST_BYTES
from arkham.rules.shell import Unusable, answer, circumstances_of, lines_of
from arkham.rules.snapshot import embedded_pool
from arkham.rules.vocabulary import Mode

PROJECT = Path(__file__).resolve().parents[2]
# A deck of Roland Banks: 30 cards that count, legal and complete.
LEGAL: dict[str, Any] = {
    "investigator_code": "01001",
    "slots": {
        "01006": 1, "01007": 1, "01016": 2, "01017": 2, "01018": 2, "01019": 2,
        "01020": 2, "01021": 2, "01022": 2, "01023": 2, "01024": 2, "01025": 2,
        "01030": 2, "01031": 2, "01033": 2, "01034": 2, "01037": 2, "01102": 1,
    },
}  # fmt: skip


def deck(**changes: Any) -> str:
    """Return the legal deck, changed, as a line."""
    return json.dumps({**LEGAL, **changes})


def without(code: str) -> str:
    """Return the legal deck without a card."""
    return deck(slots={each: n for each, n in LEGAL["slots"].items() if each != code})


@pytest.fixture(scope="module")
def judge() -> Judge:
    """The judge of the embedded pool."""
    return judge_of(embedded_pool())


def run(
    data: bytes, *arguments: str, module: bool = True
) -> tuple[list[dict[str, Any]], int, str]:
    """Run a process with this input; return its results, exit code and errors."""
    command = (
        ["-m", "arkham.rules", "check"] if module else ["manage.py", "check_decks"]
    )
    done = subprocess.run(
        [sys.executable, *command, *arguments],
        cwd=PROJECT,
        input=data,
        capture_output=True,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return answers, done.returncode, done.stderr.decode()


def lines(*texts: str) -> bytes:
    """Return the texts as lines."""
    return "".join(text + "\n" for text in texts).encode()


def test_a_verdict_has_the_documented_keys() -> None:
    """Exactly these."""
    (verdict,), code, complaints = run(lines(deck(id=7)))

    assert (code, complaints) == (0, "")
    assert list(verdict) == [
        "id", "status", "legal", "complete", "deck_size", "experience_required",
        "findings", "assignment", "rules_version", "pool_version", "taboo_id",
    ]  # fmt: skip
    assert verdict["id"] == 7
    assert (verdict["status"], verdict["legal"], verdict["complete"]) == (
        "legal",
        True,
        True,
    )
    assert (verdict["deck_size"], verdict["experience_required"]) == (30, 0)
    assert verdict["findings"] == []
    assert verdict["assignment"]["01006"] == [{"option": "required", "copies": 1}]
    assert verdict["assignment"]["01030"] == [{"option": "seeker-0-2", "copies": 2}]
    assert verdict["taboo_id"] is None


def test_a_finding_has_the_documented_keys() -> None:
    """Exactly these."""
    (verdict,), code, _ = run(lines(without("01007")))

    assert code == 1
    (finding,) = verdict["findings"]
    assert list(finding) == [
        "rule", "severity", "message", "cards", "actual", "expected", "remedy", "cites",
    ]  # fmt: skip
    assert finding["rule"] == "required.signatures"
    assert finding["severity"] == "incomplete"
    assert finding["cards"] == ["01007"]
    assert (finding["actual"], finding["expected"]) == (0, 1)
    assert all(isinstance(cite, str) for cite in finding["cites"])


def test_results_come_in_order_one_for_each_line() -> None:
    """An unreadable line spoils only itself; the worst one sets the exit code."""
    answers, code, complaints = run(
        lines(deck(id="a"), "{", "", without("01006"), '{"id":"e","slots":{}}', "17")
        + b'{"id":"\xff"}\n\x00\n'
        + lines(deck(id="z")).rstrip()
    )

    assert (code, complaints) == (2, "")
    assert [each["id"] for each in answers] == [
        "a", None, None, None, "e", None, None, None, "z",
    ]  # fmt: skip
    assert [each.get("status") for each in answers] == [
        "legal", None, None, "incomplete", None, None, None, None, "legal",
    ]  # fmt: skip
    assert [each.get("error") for each in answers if "error" in each] == [
        {
            "line": 2,
            "column": 2,
            "message": "A key is missing or broken here.",
            "expected": "a key in double quotes",
        },
        {
            "line": 3,
            "column": 1,
            "message": "The line is empty.",
            "expected": "a deck as JSON",
        },
        {
            "line": 5,
            "column": 1,
            "message": "/investigator_code: investigator_code is missing.",
            "expected": "a card code",
        },
        {
            "line": 6,
            "column": 1,
            "message": "The deck is a whole number.",
            "expected": "a {…} block",
        },
        {
            "line": 7,
            "column": 8,
            "message": "Byte 0xff isn’t readable text.",
            "expected": "plain Unicode text",
        },
        {
            "line": 8,
            "column": 1,
            "message": "A value is missing or broken here.",
            "expected": "a JSON value",
        },
    ]


def test_the_exit_code_is_that_of_the_worst_line() -> None:
    """0 for all legal and complete, or no line at all; 1 otherwise."""
    assert run(lines(deck(), deck()))[1] == 0
    assert run(lines(deck(), without("01006")))[1] == 1
    assert run(lines(deck(slots={**LEGAL["slots"], "01016": 3})))[1] == 1
    assert run(b"") == ([], 0, "")


def test_an_empty_deck_is_incomplete() -> None:
    """Unfinished is not illegal."""
    (verdict,), code, _ = run(lines(deck(slots={})))

    assert (verdict["status"], verdict["legal"], verdict["complete"], code) == (
        "incomplete",
        True,
        False,
        1,
    )


def test_byte_order_marks_and_line_ends_of_other_systems_are_read() -> None:
    """BOM, CR LF, surrounding white space; a last line without an end."""
    answers, code, _ = run(
        b"\xef\xbb\xbf" + deck(id=1).encode() + b"\r\n  " + deck(id=2).encode() + b" \t"
    )

    assert ([each["id"] for each in answers], code) == ([1, 2], 0)


def test_arguments_are_defaults_of_the_lines() -> None:
    """Taboo list, environment and mode."""
    answers, _, _ = run(
        lines(
            deck(),
            json.dumps({"deck": LEGAL, "circumstances": {"taboo": "none"}}),
            json.dumps({"deck": LEGAL, "circumstances": {"taboo": 3}}),
        ),
        "--taboo",
        "latest",
    )

    assert [each["taboo_id"] for each in answers] == [10, None, 3]


def test_a_file_is_read_and_a_missing_one_reported(tmp_path: Path) -> None:
    """In one line, without a traceback."""
    path = tmp_path / "decks.jsonl"
    path.write_text(deck() + "\n")

    assert run(b"", str(path))[1] == 0
    answers, code, complaints = run(b"", str(tmp_path / "none.jsonl"))
    assert (answers, code) == ([], 2)
    assert "none.jsonl: No such file or directory." in complaints
    assert "Traceback" not in complaints


def test_a_closed_pipe_ends_the_run_quietly(tmp_path: Path) -> None:
    """As with ``head``."""
    path = tmp_path / "decks.jsonl"
    path.write_bytes(b"\n".join(many()))
    with subprocess.Popen(
        [sys.executable, "-m", "arkham.rules", "check", str(path)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read()

    assert (process.returncode, complaints) == (1, b"")


def test_a_line_is_answered_before_the_next_is_sent() -> None:
    """So that programs can be interactive."""
    with subprocess.Popen(
        [sys.executable, "-m", "arkham.rules", "check"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(lines(deck(id=number)))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()


# -- a crew --


def many(count: int = 6_000) -> list[bytes]:
    """Enough lines for several processes, every hundredth unreadable."""
    return [
        b"{" if number % 100 == 0 else deck(id=number, name="x" * 300).encode()
        for number in range(1, count + 1)
    ]


def test_several_processes_answer_in_order(tmp_path: Path) -> None:
    """From a file and from a pipe alike, every line by its own number."""
    given = many()
    path = tmp_path / "decks.jsonl"
    path.write_bytes(b"\n".join(given))
    assert path.stat().st_size > 1.5 * shell.ALONE

    for answers, code, complaints in (
        run(b"", str(path)),
        run(b"\n".join(given), "-"),
    ):
        assert (code, complaints) == (2, "")
        assert len(answers) == 6_000
        for number, each in enumerate(answers, 1):
            if number % 100 == 0:
                assert each["error"]["line"] == number
            else:
                assert (each["id"], each["status"]) == (number, "legal")


def test_several_processes_answer_a_line_before_the_next_is_sent() -> None:
    """They don't wait for more lines."""
    with subprocess.Popen(
        [sys.executable, "-m", "arkham.rules", "check"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sent = []
        for number, line in enumerate(many(5_000), 1):
            sent.append(number)
            process.stdin.write(line + b"\n")
            if number % 50 == 0 or number > 4_990:
                process.stdin.flush()
                answers = [json.loads(process.stdout.readline()) for _ in sent]
                assert [each["id"] or each["error"]["line"] for each in answers] == sent
                sent = []
        process.stdin.close()
        assert process.stdout.read() == b""


def test_without_processors_one_process_does_it(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same results."""
    monkeypatch.setattr(shell, "workers_here", lambda: 0)
    output = io.StringIO()

    worst = answer([many(3_000), many(3_000)], output, judge)

    answers = output.getvalue().splitlines()
    assert (len(answers), worst) == (6_000, Outcome.UNREADABLE)
    assert json.loads(answers[3_099])["error"]["line"] == 3_100


# -- manage.py check_decks --


@pytest.mark.django_db
def test_the_command_uses_the_pool_of_the_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the same results and exit code."""
    path = tmp_path / "decks.jsonl"
    path.write_bytes(lines(deck(id=1), "x"))

    with pytest.raises(SystemExit) as ended:
        call_command("check_decks", str(path), "--mode", "standalone")

    assert ended.value.code == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["id"], first["pool_version"]) == (1, embedded_pool().version)
    assert second["error"]["line"] == 2


@pytest.mark.django_db
def test_the_command_refuses_invalid_arguments(tmp_path: Path) -> None:
    """With the sentence that says what was expected."""
    with pytest.raises(CommandError, match="There is no taboo list 99") as refused:
        call_command("check_decks", "-", "--taboo", "99")

    assert refused.value.returncode == 2


# -- arguments --


def options(**given: str) -> Circumstances:
    """Return the circumstances named by the arguments."""
    return circumstances_of(given, embedded_pool())


@pytest.mark.parametrize(
    ("given", "circumstances"),
    [
        ({}, Circumstances()),
        ({"taboo": "none"}, Circumstances(no_taboo=True)),
        ({"taboo": "3"}, Circumstances(taboo="3")),
        ({"mode": "start"}, Circumstances(mode=Mode.START)),
        (
            {"environment": "current:2025-01-01"},
            Circumstances(environment=Environment("current", "2025-01-01")),
        ),
        (
            {"environment": "limited:tfa,dwl,ptc"},
            Circumstances(
                environment=Environment("limited", cycles=("dwl", "ptc", "tfa"))
            ),
        ),
        (
            {"environment": "products:core, dwl"},
            Circumstances(environment=Environment("products", packs=("core", "dwl"))),
        ),
        (
            {"circumstances": '{"mode":"start","experience":5}', "mode": "standalone"},
            Circumstances(mode=Mode.STANDALONE, experience=5),
        ),
    ],
)
def test_arguments_name_circumstances(
    given: dict[str, str], circumstances: Circumstances
) -> None:
    """Each in the command's notation."""
    assert options(**given) == circumstances


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"taboo": "soon"}, "There is no taboo list soon. Expected: 1 (2019-04-20)"),
        ({"environment": "modern"}, 'We don’t understand "modern". Expected: legacy,'),
        ({"environment": "limited:dwl"}, "Expected: three different cycles."),
        ({"environment": "current:soon"}, "Expected: a date: 2026-02-27."),
        ({"circumstances": "{"}, "Expected: a key in double quotes."),
        ({"circumstances": "[]"}, "This is a list in […]. Expected: a {…} block."),
        ({"circumstances": '{"moon":1}'}, "We don’t know the setting moon."),
    ],
)
def test_invalid_arguments_are_refused(given: dict[str, str], message: str) -> None:
    """With what was found and what was expected."""
    with pytest.raises(Unusable) as refused:
        options(**given)

    assert message in str(refused.value)


# -- streams --


class Dribble(io.RawIOBase):
    """A stream that yields a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = data, size

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes."""
        part, self._data = self._data[: self._size], self._data[self._size :]
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_do_not_depend_on_the_streams_chunks(size: int) -> None:
    stream = io.BufferedReader(Dribble(b"ab\n\ncd\r\nefghij\n\nk", size))

    found = [line for part in lines_of(stream) for line in part]

    assert found == [b"ab", b"", b"cd\r", b"efghij", b"", b"k"]


def test_an_endless_line_uses_bounded_memory(judge: Judge) -> None:
    """It is cut and refused as too long, and the next line is judged."""
    stream = io.BytesIO(b"x" * 5 * MOST_BYTES + b"\n" + lines(deck(id=2)))
    output = io.StringIO()

    longest = 0

    def watched() -> Any:
        nonlocal longest
        for part in lines_of(stream):
            longest = max(longest, *map(len, part))
            yield part

    worst = answer(watched(), output, judge)

    first, second = map(json.loads, output.getvalue().splitlines())
    assert longest < MOST_BYTES + 2 * shell.READ_AT_ONCE
    assert first["error"]["message"] == "The deck is too large."
    assert (second["id"], second["status"], worst) == (2, "legal", Outcome.UNREADABLE)


def test_the_fast_writer_writes_what_json_does(judge: Judge) -> None:
    """Key by key, in the same order, for every deck of the measured set."""
    from arkham.rules.checking import read_request
    from arkham.rules.legality import check

    for line in (PROJECT / "bench" / "decks.jsonl").read_bytes().splitlines():
        asked = read_request(json.loads(line))
        verdict = check(judge, asked.deck, asked.circumstances)
        text, _ = check_line(line, 1, judge)
        assert text == json.dumps(
            {"id": asked.id, **verdict.as_data()}, separators=(",", ":")
        )


def test_the_module_needs_no_django() -> None:
    """Nor any other library: it runs without site packages."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        [sys.executable, "-S", "-m", "arkham.rules", "check"],
        input=lines(deck()),
        env=environment,
        cwd=PROJECT,
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
