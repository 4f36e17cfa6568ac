"""A seat knows whose investigator it replaces."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the seat an investigator takes over from."""

    dependencies = [("campaigns", "0012_imported_copies")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="instead",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="successors",
                to="campaigns.seat",
                verbose_name="takes over from",
            ),
        ),
    ]
