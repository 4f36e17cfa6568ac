"""A member's browser, and all that could be changed in a campaign."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction
from django.test import Client

from campaigns.models import Campaign, Invitation, Membership, Seat
from tests.campaigns.helpers.shown_forms import ShownForm, forms_in


def all_of_it(campaign: Campaign) -> object:
    """Return everything in a campaign that a member could change."""
    campaign.refresh_from_db()
    return (
        Campaign.objects.values_list(
            "name", "last", "head", "archived_at", "terms"
        ).get(pk=campaign.pk),
        [*Membership.objects.order_by("pk").values_list("pk", "role", "left_at")],
        [*Seat.objects.order_by("pk").values_list("pk", "member", "deck", "kind")],
        [*Invitation.objects.order_by("pk").values_list("pk", "revoked_at")],
        Campaign.objects.count(),
    )


class At(NamedTuple):
    """A member's browser."""

    browser: Client
    campaign: Campaign

    def path(self, page: str) -> str:
        """Return the address of a page of the campaign."""
        return f"/campaigns/{self.campaign.pk}/{page}"

    def shown(self, page: str) -> str:
        """Return a page, which must exist."""
        answer = self.browser.get(self.path(page))
        assert answer.status_code == 200, page
        return answer.content.decode()

    def forms(self, page: str) -> list[ShownForm]:
        """Return the forms of a page, the first of each kind."""
        found: dict[tuple[str, str], ShownForm] = {}
        for form in forms_in(self.shown(page), self.path(page)):
            button = form.button.partition(":")[0]
            alike = "ultimatum=" if button.startswith("ultimatum=") else button
            found.setdefault((form.action, alike), form)
        return list(found.values())

    def sent(self, form: ShownForm) -> tuple[int, str]:
        """Return the status of a form; its changes are rolled back."""
        with transaction.atomic():
            answer = self.browser.post(form.action, form.data)
            transaction.set_rollback(True)
        return answer.status_code, answer.content.decode()
