"""Published decks may show the versions they grew from."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("decks", "0011_folders_and_bin")]

    operations = [
        migrations.AddField(
            model_name="showing",
            name="shows_history",
            field=models.BooleanField(
                default=False, verbose_name="published with earlier versions"
            ),
        ),
    ]
