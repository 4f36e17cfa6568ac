"""Every sentence a user reads can be translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.language import literals_of_module, literals_of_template

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))
# The rules speak plain msgids; the checks speak to whoever configures the server.
MODULES = sorted(
    module
    for package in ("arkham", "cardpool", "decks", "campaigns")
    for module in (PROJECT / package).rglob("*.py")
    if not {"migrations", "rules"} & set(module.parts) and module.name != "checks.py"
)


PROBLEM = "from arkham.web.problems import Problem\n"


def _name(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.mark.parametrize("path", TEMPLATES, ids=_name)
def test_no_template_speaks_past_gettext(path: Path) -> None:
    """Text, spoken attributes and texts handed on are all marked."""
    assert literals_of_template(path.read_text()) == []


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_no_module_speaks_past_gettext(path: Path) -> None:
    """Labels, refusals, messages and choices are all marked."""
    assert literals_of_module(path.read_text()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Hello there</p>", ["Hello there"]),
        ('<p>{% translate "Hello there" %}</p>', []),
        ("{% blocktranslate %}Hello {{ name }}{% endblocktranslate %}", []),
        ('<a href="/cards" aria-label="Close it"></a>', ["Close it"]),
        ('<a aria-label="{% translate "Close it" %}"></a>', []),
        ('<input type="submit" value="Send">', ["Send"]),
        ('<input type="hidden" value="send">', []),
        ('{% include "_x.html" with title="My decks" %}', ["My decks"]),
        ('{% include "_x.html" with kind="deck" %}', []),
        ("{{ number|pluralize }}", ["|pluralize"]),
        ('{{ name|default:"No name" }}', ['|default:"No name"']),
        ('{{ kind|default:"submit" }}', []),
        ('<code translate="no">./run <b>test</b></code> ok', ["ok"]),
        ("{% block layout %}narrow{% endblock layout %}", []),
        ("{% block content %}Hello{% endblock content %}", ["Hello"]),
        ("<script>const x = 1;</script>{# a note #}", []),
        (
            '<b>{% if x %}3{% endif %} × {{ y }}</b> <i class="a b">Orne</i>',
            [],
        ),
    ],
)
def test_the_reader_of_templates(source: str, found: list[str]) -> None:
    """It sees what is read and spoken, and nothing else."""
    assert literals_of_template(source) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("models.CharField('name')", []),
        ("forms.CharField(label='Name')", ["1: 'Name'"]),
        ("forms.CharField(label=_('Name'))", []),
        (f"{PROBLEM}raise Problem(400, 'Not so')", ["2: 'Not so'"]),
        (f"{PROBLEM}raise Problem(400, _('Not %s') % name)", []),
        ("from mine import Problem\nProblem('line', 'Not so')", []),
        ("raise forms.ValidationError('No')", ["1: 'No'"]),
        (
            "from django.core.management import CommandError\nCommandError(f'No {x}')",
            ["2: f'No {x}'"],
        ),
        ("messages.error(request, 'No')", ["1: 'No'"]),
        ("logger.error('No')", []),
        (
            "class Kind(models.TextChoices):\n A = 'a', 'First'\n B = 'b', _('Next')",
            ["2: 'First'"],
        ),
    ],
)
def test_the_reader_of_modules(source: str, found: list[str]) -> None:
    """It sees what is said to users, and not what is said to the log."""
    assert literals_of_module(source) == found
