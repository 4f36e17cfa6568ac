"""Decks that are shown to others, and what copies were made of."""

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("decks", "0005_judgements"),
    ]

    operations = [
        migrations.CreateModel(
            name='Showing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('link', 'Shared by a link'), ('published', 'Published')], max_length=10, verbose_name='kind')),
                ('key', models.UUIDField(default=uuid.uuid4, unique=True, verbose_name='key')),
                ('revision', models.PositiveIntegerField(blank=True, null=True, verbose_name='revision')),
                ('investigator', models.CharField(blank=True, max_length=8, verbose_name='investigator')),
                ('folded_name', models.CharField(blank=True, max_length=600)),
                ('folded_tags', models.CharField(blank=True, max_length=600)),
                ('since', models.DateTimeField(verbose_name='since')),
                ('changed_at', models.DateTimeField(verbose_name='changed at')),
                ('deck', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='showing', to='decks.deck', verbose_name='deck')),
            ],
            options={
                'verbose_name': 'showing',
                'verbose_name_plural': 'showings',
                'ordering': ['-since', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Source',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('link', 'Shared by a link'), ('published', 'Published')], max_length=10, verbose_name='kind')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='name')),
                ('author', models.CharField(max_length=150, verbose_name='author')),
                ('address', models.CharField(max_length=200, verbose_name='address')),
                ('copied_at', models.DateTimeField(verbose_name='copied at')),
                ('deck', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='source', to='decks.deck', verbose_name='deck')),
                ('showing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='copies', to='decks.showing', verbose_name='showing')),
            ],
            options={
                'verbose_name': 'source',
                'verbose_name_plural': 'sources',
            },
        ),
        migrations.AddIndex(
            model_name='showing',
            index=models.Index(fields=['kind', '-since'], name='decks_showi_kind_1cd909_idx'),
        ),
        migrations.AddConstraint(
            model_name='showing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'link'), ('revision__isnull', True)), models.Q(('kind', 'published'), ('revision__isnull', False)), _connector='OR'), name='what_is_published_is_a_revision'),
        ),
    ]
