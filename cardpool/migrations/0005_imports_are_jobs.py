import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Imports become jobs; those of before are over and forgotten."""

    dependencies = [
        ('cardpool', '0004_card_languages'),
        ('jobs', '0001_initial'),
    ]

    operations = [
        migrations.DeleteModel(name='CardImport'),
        migrations.CreateModel(
            name='CardImport',
            fields=[
                ('job_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='jobs.job')),
                ('part', models.CharField(choices=[('texts', 'Texts'), ('pictures', 'Pictures')], default='texts', max_length=10)),
                ('texts_from', models.CharField(blank=True, max_length=500)),
                ('pictures_from', models.CharField(blank=True, max_length=500)),
                ('language', models.CharField(default='en', max_length=100)),
                ('encounter_cards', models.BooleanField(default=False)),
                ('texts', models.PositiveIntegerField(default=0)),
                ('new', models.PositiveIntegerField(default=0)),
                ('unchanged', models.PositiveIntegerField(default=0)),
                ('missing', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('since', models.DateTimeField()),
            ],
            bases=('jobs.job',),
        ),
    ]
