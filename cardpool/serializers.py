"""The messages of cards, products, taboo lists and environments.

Each shape is declared by its fields, which describe it, and filled by one function,
which is quicker than asking field by field; a test holds the two together. Longer
than other modules because it is a list of declarations.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from arkham.rules import card as facts
from arkham.rules.collection import packs_of
from arkham.rules.pool import CardPool
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.vocabulary import (
    BoxChoice,
    CardClass,
    CardType,
    SignatureKind,
    Tag,
    WeaknessKind,
)
from cardpool import data, models
from cardpool.data import Data, card_data, change_data, environment_of
from cardpool.relations import bonded_with, versions_of

Shape = serializers.Serializer[Any]


def _strings(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), **options)


def _choices(values: Any, **options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=[each.value for each in values], **options)


class SkillsShape(Shape):
    """The skills of an investigator."""

    willpower = serializers.IntegerField()
    intellect = serializers.IntegerField()
    combat = serializers.IntegerField()
    agility = serializers.IntegerField()


class IconsShape(SkillsShape):
    """The skill icons of a card."""

    wild = serializers.IntegerField()


class PrintingShape(Shape):
    """One appearance of a card in a product."""

    code = serializers.CharField()
    pack = serializers.CharField(help_text=_("Code of the product."))
    position = serializers.IntegerField()
    quantity = serializers.IntegerField(help_text=_("Copies in the product."))


class CardTagShape(Shape):
    """What a card's text does, where deckbuilding options ask for it."""

    tag = _choices(Tag)
    cite = serializers.CharField(help_text=_("Where that is printed."))


class RestrictionShape(Shape):
    """Who alone may have the card; empty parts do not restrict."""

    investigators = _strings(help_text=_("Codes of the original investigators."))
    traits = _strings(help_text=_("One of them on the investigator's front is enough."))
    classes = _strings()


class SheetOptionShape(Shape):
    """One line of an upgrade sheet."""

    id = serializers.CharField(help_text=_("Stable; ours."))
    name = serializers.CharField()
    position = serializers.IntegerField(help_text=_("Its place in ArkhamDB's formats."))
    boxes = serializers.IntegerField(
        help_text=_("0 for a choice that is always there.")
    )
    choice = _choices(BoxChoice, allow_null=True, help_text=_("What is to be written."))
    picks = serializers.IntegerField(help_text=_("How many of it."))


class ErratumShape(Shape):
    """A correction of the printed card."""

    faq = serializers.CharField(help_text=_("The version of the FAQ that brought it."))
    concerns = serializers.CharField()


class OptionShape(Shape):
    """One category of Deckbuilding Options, or a restriction."""

    id = serializers.CharField(help_text=_("Stable; ours."))
    label = serializers.CharField()  # type: ignore[assignment]
    limit = serializers.IntegerField(allow_null=True, help_text=_("Copies; null: any."))
    other = serializers.BooleanField(help_text=_("Printed with the word “other”."))
    forbids = serializers.BooleanField(help_text=_("A restriction, not an option."))


class ChoiceShape(Shape):
    """Something the player decides at deck creation."""

    key = serializers.CharField(help_text=_("The name a deck carries it under."))
    offers = _strings()


class ReplacementShape(Shape):
    """A card that may stand for a required one."""

    code = serializers.CharField()
    copies = serializers.IntegerField()


class RequirementShape(Shape):
    """A card the deck must hold."""

    code = serializers.CharField()
    copies = serializers.IntegerField()
    copies_at_most = serializers.IntegerField(help_text=_("More than copies: a range."))
    advanced = serializers.CharField(allow_null=True)
    replacements = ReplacementShape(many=True)


class InvestigatorShape(Shape):
    """What an investigator card says about decks."""

    base = serializers.CharField(
        help_text=_("Code of the original of the investigator.")
    )
    playable = serializers.BooleanField(
        help_text=_("Whether a deck may begin with it.")
    )
    parallel = serializers.BooleanField()
    deck_size = serializers.IntegerField(allow_null=True)
    basic_weaknesses = serializers.IntegerField(allow_null=True)
    bonus_experience = serializers.IntegerField(allow_null=True)
    options = OptionShape(many=True)
    choices = ChoiceShape(many=True)
    requirements = RequirementShape(many=True)


@extend_schema_serializer(
    component_name="Card",
    examples=[OpenApiExample("A card", data.CARD, response_only=True)],
)
class CardShape(Shape):
    """A card, once, whatever the number of products it was printed in."""

    code = serializers.CharField(help_text=_("Of the first printing."))
    name = serializers.CharField()
    subname = serializers.CharField(allow_blank=True)
    type = _choices(CardType)
    scope = serializers.ChoiceField(choices=models.Scope.values)
    classes = serializers.ListField(
        child=_choices(CardClass), help_text=_("None: neutral, a weakness, or mythos.")
    )
    weakness = _choices(WeaknessKind, allow_null=True)
    level = serializers.IntegerField(allow_null=True, help_text=_("Null is not 0."))
    cost = serializers.IntegerField(allow_null=True, help_text=_("-2 is X."))
    icons = IconsShape()
    skills = SkillsShape(allow_null=True, help_text=_("Of investigators."))
    slots = _strings(help_text=_("Twice where two are taken."))
    traits = _strings(help_text=_("In lower case."))
    health = serializers.IntegerField(allow_null=True)
    sanity = serializers.IntegerField(allow_null=True)
    victory = serializers.IntegerField(allow_null=True)
    unique = serializers.BooleanField()
    permanent = serializers.BooleanField()
    exceptional = serializers.BooleanField()
    myriad = serializers.BooleanField()
    researched = serializers.BooleanField()
    researched_from = _strings(help_text=_("Codes of the cards it is upgraded from."))
    deck_limit = serializers.IntegerField(
        allow_null=True, help_text=_("As printed; null: the general rule.")
    )
    uses = serializers.CharField(allow_blank=True, help_text=_("The kind of token."))
    tags = CardTagShape(many=True)
    bonded_to = _strings(help_text=_("Titles."))
    encounter_set = serializers.CharField(allow_null=True)
    restriction = RestrictionShape(allow_null=True)
    signature = _choices(SignatureKind, allow_null=True)
    creation_only = serializers.BooleanField()
    campaign_only = serializers.BooleanField()
    multiplayer_only = serializers.BooleanField()
    reward = serializers.BooleanField()
    in_decks = serializers.BooleanField(help_text=_("Whether any deck may hold it."))
    customization = SheetOptionShape(many=True)
    errata = ErratumShape(many=True)
    printings = PrintingShape(many=True)
    investigator = InvestigatorShape(allow_null=True)

    def to_representation(self, instance: facts.Card) -> Data:
        """The card as JSON types."""
        return card_data(instance)


class TabooChangeShape(Shape):
    """What a taboo list changes on a card; null changes nothing."""

    code = serializers.CharField()
    experience = serializers.IntegerField(help_text=_("Added to the experience cost."))
    exceptional = serializers.BooleanField(allow_null=True)
    deck_limit = serializers.IntegerField(allow_null=True, help_text=_("0 forbids it."))
    campaign_only = serializers.BooleanField()
    text_only = serializers.BooleanField(help_text=_("Only the text is changed."))


class TabooHistoryShape(TabooChangeShape):
    """The same, with the list."""

    taboo_list = serializers.IntegerField()
    date = serializers.CharField()


class TextShape(Shape):
    """The printed text, where whoever runs this has imported it."""

    front = serializers.CharField(allow_blank=True)
    back = serializers.CharField(allow_blank=True)
    customization = serializers.CharField(allow_blank=True)


@extend_schema_serializer(
    component_name="CardDetail",
    examples=[OpenApiExample("A card in full", data.DETAIL, response_only=True)],
)
class CardDetailShape(CardShape):
    """A card with what belongs to it."""

    versions = _strings(help_text=_("Codes of the cards of the same title, by level."))
    bonded = _strings(help_text=_("Codes of the bonded cards it brings."))
    taboo = TabooHistoryShape(many=True, help_text=_("Newest first."))
    text = TextShape(allow_null=True)

    def to_representation(self, instance: facts.Card) -> Data:
        """The card, its relations and its text as JSON types."""
        pool: CardPool = self.context["pool"]
        text: models.CardText | None = self.context["text"]
        return card_data(instance) | {
            "versions": [each.code for each in versions_of(instance, pool)],
            "bonded": [each.code for each in bonded_with(instance, pool)],
            "taboo": [
                change_data(each.changes[instance.code])
                | {"taboo_list": each.id, "date": each.date}
                for each in reversed(pool.taboo_lists)
                if instance.code in each.changes
            ],
            "text": text
            and {
                "front": text.text,
                "back": text.back_text,
                "customization": text.sheet_text,
            },
        }


@extend_schema_serializer(
    component_name="Pack",
    examples=[OpenApiExample("A product", data.PACK, response_only=True)],
)
class PackShape(Shape):
    """A product."""

    code = serializers.CharField()
    name = serializers.CharField()
    cycle = serializers.CharField(help_text=_("Code of the cycle."))
    cycle_name = serializers.CharField()
    position = serializers.IntegerField(help_text=_("Within the cycle."))
    released = serializers.CharField(allow_null=True, help_text=_("ISO date."))
    chapter = serializers.IntegerField()
    holds = _strings(help_text=_("Codes of the products that this one contains."))

    def to_representation(self, instance: models.Pack) -> Data:
        """The product as JSON types."""
        return {
            "code": instance.code,
            "name": instance.name,
            "cycle": instance.cycle_id,
            "cycle_name": instance.cycle.name,
            "position": instance.position,
            "released": instance.released or None,
            "chapter": instance.chapter,
            "holds": instance.holds,
        }


@extend_schema_serializer(
    component_name="TabooList",
    examples=[OpenApiExample("A list", data.TABOO_LIST, response_only=True)],
)
class TabooListShape(Shape):
    """One edition of the List of Taboos."""

    id = serializers.IntegerField()
    date = serializers.CharField(help_text=_("ISO date on which it took effect."))
    cards = serializers.IntegerField(help_text=_("How many cards it changes."))

    def to_representation(self, instance: facts.TabooList) -> Data:
        """The list as JSON types."""
        return {
            "id": instance.id,
            "date": instance.date,
            "cards": len(instance.changes),
        }


@extend_schema_serializer(
    component_name="TabooListDetail",
    examples=[OpenApiExample("A list in full", data.TABOO_DETAIL, response_only=True)],
)
class TabooListDetailShape(TabooListShape):
    """One edition of the List of Taboos, with what it changes."""

    changes = TabooChangeShape(many=True)

    def to_representation(self, instance: facts.TabooList) -> Data:
        """The list and its changes as JSON types."""
        changes = sorted(instance.changes.items())
        return super().to_representation(instance) | {
            "changes": [change_data(change) for _code, change in changes]
        }


@extend_schema_serializer(
    component_name="Environment",
    examples=[OpenApiExample("Current", data.ENVIRONMENT, response_only=True)],
)
class EnvironmentShape(Shape):
    """A part of the card pool under a name."""

    slug = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=models.Environment.Kind.values)
    date = serializers.CharField(allow_null=True)
    cycles = _strings(help_text=_("The cycles chosen, of a limited environment."))
    packs = _strings(
        allow_null=True, help_text=_("Codes of the products; null is every product.")
    )

    def to_representation(self, instance: models.Environment) -> Data:
        """The environment and the products it comes to, as JSON types."""
        pool: CardPool = self.context["pool"]
        terms = environment_of(instance)
        packs = packs_of(terms, pool, DEFAULT_RULINGS)
        return {
            "slug": instance.slug,
            "name": instance.name,
            "kind": instance.kind,
            "date": instance.date or None,
            "cycles": list(terms.cycles),
            "packs": None if packs is None else sorted(packs & set(pool.packs)),
        }
