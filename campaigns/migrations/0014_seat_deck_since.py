"""A seat knows since when it has its deck."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the time a deck was linked; of those linked before it is not known."""

    dependencies = [("campaigns", "0013_seat_takes_over")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="deck_since",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="deck linked at"
            ),
        ),
    ]
