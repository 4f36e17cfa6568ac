"""The jobs app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    """Registers the app under its name."""

    name = "arkham.jobs"
    label = "jobs"
    verbose_name = _("Jobs")
