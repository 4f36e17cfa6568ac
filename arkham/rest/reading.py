"""Read JSON strictly: every value by its type, or every fault with its place.

Values are never converted: the text ``"3"`` is not a number. Objects are read as
messages, dataclasses or named tuples; keywords of ``arkham.rest.messages.schema`` next
to a type are limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, is_dataclass
from enum import Enum
from functools import cache
from itertools import islice, repeat
from typing import Annotated, Any, get_args, get_origin

from cattrs import Converter
from cattrs.cols import is_namedtuple, namedtuple_dict_structure_factory
from cattrs.errors import (
    BaseValidationError,
    ClassValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, override

from arkham.rest.messages import MOST_ITEMS, MessagePart, hints_of, reads, schema
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import (
    MOST_FAULTS,
    Fault,
    Unreadable,
    shortened,
)

LONGEST_TEXT = 2_000
LONGEST_NAMES = 200  # letters, for the names of unknown members
MOST_NUMBER = 1_000_000
MOST_KEY = 2**63 - 1

# A row's key, which grows with every new row.
Key = Annotated[int, schema(minimum=1, maximum=MOST_KEY)]
NO_NUL = r"^[^\x00]*$"


def text(most: int, fewest: int = 0) -> schema:
    """Return the limits of a text, for its description and its reader."""
    least = {"minLength": fewest} if fewest else {}
    return schema(**least, maxLength=most, pattern=NO_NUL)


Sent = Annotated[str, text(LONGEST_TEXT)]
Sequence = Annotated[int, schema(minimum=0, maximum=MOST_NUMBER)]  # of an entry
Read = Callable[[Any, Any], Any]


class Wrong(ValueError):
    """A value that is not what is expected; the message says what is."""


def read(shape: Any, data: object, at: str = "", *, apart: bool = False) -> Any:
    """Return the value of JSON data; ``at`` is the JSON pointer to it.

    Raises :class:`Unreadable` with every fault: its place, as ``/amount``, and what is
    expected there. ``apart``: an unknown member is a fault at its own place, not at the
    object's.
    """
    return read_by(_reader(), shape, data, at, apart=apart)


def read_by(
    reader: Converter, shape: Any, data: object, at: str = "", *, apart: bool = False
) -> Any:
    """Read with a reader that knows more types."""
    try:
        return reader.structure(data, shape)
    except (BaseValidationError, Wrong, Unreadable) as error:
        found = islice(_faults(error, at, apart), MOST_FAULTS)
        raise Unreadable(*found) from None


@cache
def _reader() -> Converter:
    return strict_reader()


def strict_reader() -> Converter:
    """Return a reader of the usual types; others may be added."""
    made = Converter(forbid_extra_keys=True)
    for kind, check in ((int, _number), (bool, _flag), (str, _text)):
        made.register_structure_hook(kind, check)
    made.register_structure_hook_factory(
        lambda shape: is_of(shape, Annotated),
        lambda shape: _limited(made, shape),
    )
    made.register_structure_hook_factory(
        lambda shape: is_of(shape, tuple), lambda shape: _listing(made, shape)
    )
    made.register_structure_hook_factory(
        lambda shape: is_of(shape, dict), lambda shape: object_of(made, shape)
    )
    made.register_structure_hook_factory(
        is_namedtuple,
        lambda shape: _object(
            namedtuple_dict_structure_factory(shape, made, "from_converter", True)
        ),
    )
    made.register_structure_hook_factory(
        is_dataclass,
        lambda shape: _object(
            make_dict_structure_fn(shape, made, _cattrs_forbid_extra_keys=True)
        ),
    )
    made.register_structure_hook_factory(
        lambda shape: isinstance(shape, type) and issubclass(shape, MessagePart),
        lambda shape: _part_reader(made, shape),
    )
    made.register_structure_hook_factory(
        lambda shape: isinstance(shape, type) and issubclass(shape, Enum), _member
    )
    made.register_structure_hook_factory(
        lambda shape: is_of(shape, Mapping), lambda _shape: read_object
    )
    made.register_structure_hook(Any, lambda data, _shape: data)
    made.register_structure_hook(dict, read_object)
    return made


def is_of(shape: Any, kind: Any) -> bool:
    """Return whether a type is a generic of this kind."""
    origin: Any = get_origin(shape)
    return origin is kind


# -- limits --


def _part_reader(made: Converter, part: Any) -> Read:
    """Return a reader for a message by its types: cattrs drops their annotations."""
    if part.of is not None:
        return _reader_of(made, part.of)
    fields = {
        name: override(struct_hook=_reader_of(made, hint))
        for name, hint in hints_of(part).items()
    }
    read = make_dict_structure_fn(
        part,
        made,
        _cattrs_forbid_extra_keys=not part.is_open,
        **fields,  # type: ignore[arg-type]
    )
    return _object(read)


def _reader_of(made: Converter, hint: Any) -> Read:
    return lambda value, _shape: made.structure(value, hint)


def _limited(made: Converter, shape: Any) -> Read:
    """Return a reader for a type within its annotated limits."""
    bare: Any = shape.__origin__
    limits: dict[str, Any] = {}
    for note in shape.__metadata__:
        if isinstance(note, reads):
            return _by(note.by)
        if isinstance(note, schema):
            limits |= note
    if "enum" in limits:
        return _one_of(limits["enum"])
    if bare is int:
        least = limits.get("minimum", -MOST_NUMBER)
        most = limits.get("maximum", MOST_NUMBER)
        return lambda value, _shape: _whole(value, least, most)
    if bare is str:
        fewest = limits.get("minLength", 0)
        longest = limits.get("maxLength", LONGEST_TEXT)
        return lambda value, _shape: _words(value, fewest, longest)
    fewest, most = limits.get("minItems", 0), limits.get("maxItems", MOST_ITEMS)
    inner = made.get_structure_hook(bare)
    if is_of(bare, tuple):
        inner = _listing(made, bare, most)

    def read_limited(value: Any, _shape: Any) -> Any:
        found = inner(value, bare)
        if isinstance(found, tuple) and not fewest <= len(found) <= most:
            number = f"{fewest} to {most}" if fewest else f"at most {most}"
            raise Wrong(f"a list of {number}")
        return found

    return read_limited


def _by(reader: Callable[[Any], Any]) -> Read:
    return lambda value, _shape: reader(value)


def _one_of(known: Iterable[Any]) -> Read:
    values = [str(each) for each in known]

    def read_one(value: Any, _shape: Any) -> Any:
        if type(value) is not str or value not in values:
            expected = ", ".join(each or '""' for each in values)
            raise Wrong(f"one of {expected}")
        return value

    return read_one


def _number(value: object, _shape: object) -> int:
    return _whole(value, -MOST_NUMBER, MOST_NUMBER)


def _whole(value: object, least: int, most: int) -> int:
    if type(value) is not int:
        raise Wrong(_("a whole number"))
    if not least <= value <= most:
        raise Wrong(f"a whole number from {least:,} to {most:,}")
    return value


def _flag(value: object, _shape: object) -> bool:
    if type(value) is not bool:
        raise Wrong(_("true or false"))
    return value


def _text(value: object, _shape: object) -> str:
    return _words(value, 0, LONGEST_TEXT)


def _words(value: object, fewest: int, most: int) -> str:
    if type(value) is not str or not fewest <= len(value) <= most:
        raise Wrong(
            f"a text of {fewest:,} to {most:,} characters"
            if fewest
            else f"a text of at most {most:,} characters"
        )
    if "\x00" in value:
        raise Wrong(_("text without the character U+0000"))
    return value


def read_object(value: object, _shape: object = None) -> dict[str, Any]:
    """Return the value, if it is an object."""
    if type(value) is not dict:
        raise Wrong(_("a {…} block"))
    return value


def _member(shape: type[Enum]) -> Read:
    known = {each.value: each for each in shape}

    def read_member(value: Any, _shape: Any) -> Enum:
        if type(value) is not str or value not in known:
            raise Wrong(f"one of {', '.join(known)}")
        return known[value]

    return read_member


def _object(reader: Read) -> Read:
    return lambda value, shape: reader(read_object(value), shape)


def _listing(made: Converter, shape: Any, most: int = MOST_ITEMS) -> Read:
    parts = get_args(shape)
    alike = len(parts) == 2 and parts[1] is ...

    def read_list(value: Any, _shape: Any) -> tuple[Any, ...]:
        if type(value) not in (list, tuple):
            raise Wrong(_("a list"))
        if len(value) > max(most, MOST_ITEMS):
            raise Wrong(f"a list of at most {most}")
        if not alike and len(value) != len(parts):
            raise Wrong(f"a list of {len(parts)}")
        shapes = repeat(parts[0]) if alike else parts
        return tuple(_each(made, enumerate(zip(value, shapes, strict=False))))

    return read_list


def _each(made: Converter, items: Iterable[tuple[Any, tuple[Any, Any]]]) -> list[Any]:
    """Return values read by their types, with the place of every fault."""
    found, errors = [], []
    for place, (value, shape) in items:
        try:
            found.append(made.structure(value, shape))
        except (BaseValidationError, Wrong, Unreadable) as error:
            note = IterableValidationNote(f"at {place}", place, shape)
            error.__notes__ = [*getattr(error, "__notes__", []), note]
            errors.append(error)
            if len(errors) == MOST_FAULTS:  # no more are reported
                break
    if errors:
        raise IterableValidationError("not as expected", errors, tuple)
    return found


def object_of(made: Converter, shape: Any) -> Read:
    """Return a reader for an object whose members have one type."""
    key, item = get_args(shape)

    def read_members(value: Any, _shape: Any) -> dict[str, Any]:
        members = read_object(value)
        keys = [made.structure(each, key) for each in members]
        items = [(each, (members[each], item)) for each in members]
        return dict(zip(keys, _each(made, items), strict=True))

    return read_members


# -- faults --


def _faults(error: Exception, at: str, apart: bool) -> Iterator[Fault]:
    """Yield every fault of a value at this place."""
    if isinstance(error, IterableValidationError | ClassValidationError):
        placed, others = error.group_exceptions()
        for each, note in placed:
            item = isinstance(note, IterableValidationNote)
            place = note.index if item else note.name  # type: ignore[union-attr]
            there = at + token(str(place))
            if isinstance(each, KeyError):
                yield Fault(there, _("This is missing."), _expected_of(error, place))
                continue
            yield from _faults(each, there, apart)
        for each in others:
            yield from _faults(each, at, apart)
    elif isinstance(error, Unreadable):
        yield from (fault.within(at) for fault in error.faults)
    elif apart and isinstance(error, ForbiddenExtraKeysError):
        expected = ", ".join(hints_of(error.cl))
        for name in sorted(error.extra_fields):
            yield Fault(at + token(name), _("This must be left out."), expected)
    else:
        yield Fault(at, _("This isn’t what we expect here."), _expected(error))


def _expected_of(error: Any, name: Any) -> str:
    """Return what is expected of a missing member."""
    try:
        _reader().structure(MISSING, hints_of(error.cl)[name])
    except Wrong as wrong:
        return str(wrong)
    except Exception:  # noqa: S110 - of a type that another reader knows
        pass
    return _("a value")


def _expected(error: Exception) -> str:
    if isinstance(error, Wrong):
        return str(error)
    if isinstance(error, ForbiddenExtraKeysError):
        strange = ", ".join(sorted(error.extra_fields))
        return f"nothing called {shortened(strange, LONGEST_NAMES)}"
    return _("something else")
