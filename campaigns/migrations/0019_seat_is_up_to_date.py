"""A seat knows whether its player is done with the upgrade."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds whether a deck is up to date."""

    dependencies = [("campaigns", "0018_order_by_columns")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="is_up_to_date",
            field=models.BooleanField(default=False, verbose_name="deck is up to date"),
        ),
    ]
