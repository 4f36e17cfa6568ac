"""A campaign knows what it heard of the one it was linked to, after that is gone."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds what was heard; of campaigns deleted before it is not known."""

    dependencies = [("campaigns", "0014_seat_deck_since")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="heard",
            field=models.JSONField(
                blank=True, null=True, verbose_name="heard of the other"
            ),
        ),
    ]
