"""The pages of webhooks: create and delete them, see deliveries, test, send again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.rules.vocabulary import is_digits
from arkham.web.forms import sent_once
from arkham.web.limits import WebhooksOfAccounts, refused_by
from arkham.webhooks import services
from arkham.webhooks.models import LONGEST_ADDRESS, Delivery, Webhook

ON_A_PAGE = 50
NAMES = {
    "deck": gettext_lazy("Deck changed"),
    "deck-deleted": gettext_lazy("Deck deleted"),
    "campaign": gettext_lazy("Campaign changed"),
    "notice": gettext_lazy("New verdict on a deck"),
    "job": gettext_lazy("Job finished"),
    services.MANY: gettext_lazy("Many changes"),
    services.TEST: gettext_lazy("Test"),
}


class WebhookForm(forms.Form):
    """The address of a webhook, and its events."""

    address = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=LONGEST_ADDRESS,
        help_text=gettext_lazy("The https:// address of your program"),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Messages"),
        choices=[(each, NAMES[each]) for each in services.EVENTS],
        initial=list(services.EVENTS),
        widget=forms.CheckboxSelectMultiple,
    )


@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def index(request: HttpRequest) -> HttpResponse:
    """List your webhooks, or create one; its secret is shown here, once."""
    assert isinstance(request.user, User)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    made = None
    if form.is_valid():
        if refusal := refused_by(WebhooksOfAccounts(), request):
            return refusal
        try:
            made = services.make_webhook(
                owner=request.user,
                origin=request.build_absolute_uri("/").rstrip("/"),
                now=timezone.now(),
                **form.cleaned_data,
            )
            form = WebhookForm()
        except services.RefusedAddress as error:
            form.add_error("address", str(error))
    context = {"form": form, "made": made, "webhooks": request.user.webhooks.all()}
    status = 422 if form.errors else 200
    return render(request, "webhooks/index.html", context, status=status)


@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a webhook and its deliveries, or act on it.

    A new secret is shown here once, on the page that answers the form.
    """
    webhook, now = _mine(request, pk), timezone.now()
    is_rotated = request.method == "POST" and request.POST.get("act") == "rotate"
    if is_rotated:
        webhook = services.rotate_secret(webhook=webhook, now=now)
    elif request.method == "POST":
        return _done(request, webhook)
    deliveries = [
        (each, NAMES[each.kind]) for each in webhook.deliveries.all()[:ON_A_PAGE]
    ]
    context = {
        "webhook": webhook,
        "new_secret": webhook.secret if is_rotated else "",
        "old_secret_until": webhook.old_secret_until(now),
        "events": [NAMES[each] for each in webhook.events],
        "deliveries": deliveries,
        "states": Delivery.State,
    }
    return render(request, "webhooks/show.html", context)


def _done(request: HttpRequest, webhook: Webhook) -> HttpResponse:
    now, sent = timezone.now(), None
    match request.POST.get("act"):
        case "switch-on":
            services.switch_on(webhook=webhook, now=now)
            messages.success(request, _("Webhook switched on."))
        case "test" | "again" as act:
            if refusal := refused_by(WebhooksOfAccounts(), request):
                return refusal
            sent = _sent(request, webhook, act)
            services.attempt(key=sent.pk, tries=sent.tries)
            sent.refresh_from_db()
            _report(request, sent)
    here = reverse("webhooks:show", args=[webhook.pk])
    return HttpResponseRedirect(here, status=303)


def _sent(request: HttpRequest, webhook: Webhook, act: str) -> Delivery:
    """Return a message queued by the form, to be sent while its sender waits."""
    if act == "test":
        return services.queue_test(webhook=webhook, now=timezone.now())
    text = request.POST.get("delivery", "")
    number = int(text) if is_digits(text, 18) else 0
    delivery = get_object_or_404(webhook.deliveries, pk=number)
    services.queue_again(delivery=delivery, now=timezone.now())
    delivery.refresh_from_db()
    return delivery


def _report(request: HttpRequest, sent: Delivery) -> None:
    answer: dict[str, Any] = {
        "status": sent.answered,
        "why": sent.get_problem_display(),
    }
    if sent.state == Delivery.State.DELIVERED:
        messages.success(request, _("Delivered: answer %(status)d.") % answer)
    elif sent.answered is not None:
        messages.error(request, _("Not delivered: answer %(status)d.") % answer)
    else:
        messages.error(request, _("Not delivered: %(why)s.") % answer)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a webhook, after confirmation."""
    webhook = _mine(request, pk)
    if request.method != "POST":
        return render(request, "webhooks/delete.html", {"webhook": webhook})
    webhook.delete()
    messages.success(request, _("Webhook deleted."))
    return redirect("webhooks:index")


def _mine(request: HttpRequest, pk: int) -> Webhook:
    assert isinstance(request.user, User)
    return get_object_or_404(request.user.webhooks, pk=pk)
