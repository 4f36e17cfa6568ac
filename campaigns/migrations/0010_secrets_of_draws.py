"""Campaigns draw from a secret. Old seeds were shown, so each campaign gets a new one.

Draws that were made keep their own seeds in the log and in the plays.
"""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import campaigns.models.campaign


def replace_seeds(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A new secret for every campaign."""
    for row in apps.get_model("campaigns", "Campaign").objects.only("pk").iterator():
        row.secret = campaigns.models.campaign.new_secret()
        row.save(update_fields=["secret"])


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0009_waiting_backups")]

    operations = [
        migrations.RenameField("campaign", "seed", "secret"),
        migrations.AlterField(
            "campaign",
            "secret",
            models.CharField(
                default=campaigns.models.campaign.new_secret,
                max_length=40,
                verbose_name="secret",
            ),
        ),
        migrations.RunPython(replace_seeds, migrations.RunPython.noop),
    ]
