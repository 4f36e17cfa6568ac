"""Parts of pages that are rendered once for their facts."""

from __future__ import annotations

import pytest
from django.template import Context, RequestContext, Template
from django.test import RequestFactory
from django.urls import set_script_prefix
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

NAMED = Template("{% kept name=user %}<b>{{ name }}</b>{{ secret }}{% endkept %}")


def test_a_part_sees_its_facts_only() -> None:
    """Else the first visitor's page would be shown to the next."""
    assert NAMED.render(Context({"user": "alice", "secret": "s"})) == "<b>alice</b>"
    assert NAMED.render(Context({"user": "bob"})) == "<b>bob</b>"
    assert NAMED.render(Context({"user": "<i>"})) == "<b>&lt;i&gt;</b>"


def test_a_part_is_rendered_once_for_its_facts() -> None:
    """A second page with the same facts takes what the first one made."""
    part, made = Template("{% kept n=n %}{% now 'u' %}{% endkept %}"), Context({"n": 1})
    first = part.render(made)

    assert part.render(made) == first
    assert part.render(Context({"n": 2})) != first


def test_a_part_is_kept_for_each_language() -> None:
    """The words of one language aren't shown in another."""
    part = Template(
        "{% load i18n %}{% kept %}{% get_current_language as it %}{{ it }}{% endkept %}"
    )

    for language in ("en", "de", "en"):
        with translation.override(language):
            assert part.render(Context()) == language


def test_a_part_is_kept_for_each_prefix_of_addresses() -> None:
    """A server at a path of its site, or a header that claims so, has other links."""
    part = Template("{% kept %}{% url 'home' %}{% endkept %}")

    for prefix in ("/", "/orne/", "/"):
        set_script_prefix(prefix)
        try:
            assert part.render(Context()) == prefix
        finally:
            set_script_prefix("/")


@pytest.mark.parametrize("first", [mark_safe, str])
def test_safe_text_is_another_fact_than_equal_text(first: type[str]) -> None:
    part, text = Template("{% kept name=name %}{{ name }}{% endkept %}"), "<b>"
    for name in (first(text), mark_safe(text), text):  # noqa: S308
        escaped = text if isinstance(name, SafeString) else "&lt;b&gt;"
        assert part.render(Context({"name": name})) == escaped


def test_a_part_does_not_see_the_request() -> None:
    """Tags that read it would show a visitor's page to others."""
    part = Template("{% load arkham %}{% kept %}{{ request.path }}{% endkept %}")
    request = RequestFactory().get("/mine")
    assert part.render(RequestContext(request, {"request": request})) == ""


def test_a_fact_is_a_plain_value() -> None:
    """What may change without being another can't be a fact."""
    with pytest.raises(TypeError):
        NAMED.render(Context({"user": ["alice"]}))


def test_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts of many pages don't fill the memory."""
    monkeypatch.setattr("arkham.templatetags.arkham.KEPT", 5)
    part = Template("{% kept n=n %}{{ n }}{% endkept %}")

    assert [part.render(Context({"n": n})) for n in range(20)] == [*map(str, range(20))]
    assert len(part.nodelist[0]._rendered) <= 5  # type: ignore[attr-defined]
