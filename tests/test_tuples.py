"""Named tuples without typing."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import NamedTuple as Original

import pytest

from sleep.tuples import NamedTuple


class Ours(NamedTuple):
    """A value of ours."""

    one: int
    two: str = "x"
    many: tuple[int, ...] = ()

    @property
    def length(self) -> int:
        """How many fields."""
        return super().__len__()

    def more(self) -> Ours:
        """One more."""
        return self._replace(one=self.one + 1)


class Theirs(Original):
    """The same."""

    one: int
    two: str = "x"
    many: tuple[int, ...] = ()


@pytest.mark.parametrize(
    ("values", "named"), [((1,), {}), ((1, "b", (2,)), {}), ((), {"one": 1, "many": (3,)}), ((1,), {"two": "c"})]
)
def test_it_is_the_original_in_all_that_is_seen(values, named):
    """Values, names, defaults, replacing, comparing, hashing and showing are as in `typing.NamedTuple`."""
    ours, theirs = Ours(*values, **named), Theirs(*values, **named)
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    assert (ours.one, ours.two, ours.many) == tuple(theirs)
    assert ours._asdict() == theirs._asdict()
    assert ours._replace(two="z") == theirs._replace(two="z")
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert type(Ours._make(theirs)) is Ours
    assert (Ours._fields, Ours._field_defaults, Ours.__match_args__) == (
        Theirs._fields,
        Theirs._field_defaults,
        Theirs.__match_args__,
    )
    assert isinstance(ours, tuple)
    assert not hasattr(ours, "__dict__")


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, 2, 3, 4), {}), ((1,), {"one": 2}), ((1,), {"four": 4})])
def test_it_refuses_what_the_original_refuses(values, named):
    """Too few values, too many, one twice and an unknown name are errors."""
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind(*values, **named)
        with pytest.raises(TypeError if kind is Theirs and sys.version_info >= (3, 13) else ValueError):
            kind(1)._replace(four=4)


@pytest.mark.parametrize("values", [(1,), (1, "b"), (1, "b", (2,), 4)])
def test_it_is_made_of_as_many_values_as_it_has_fields(values):
    """As the original, `_make` puts no default in the place of a value that is missing, and takes none too many."""
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind._make(values)


def test_it_has_methods_copies_and_matches():
    """Methods, properties, `super`, copies, pickles and patterns work."""
    value = Ours(1)
    assert (value.more().one, value.length, Ours.__doc__) == (2, 3, "A value of ours.")
    assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value  # noqa: S301
    match value:
        case Ours(one=1, two=two):
            assert two == "x"
        case _:
            pytest.fail("no match")


def test_a_field_without_a_default_cannot_follow_one_with():
    """Such a class is refused when it is made."""
    with pytest.raises(TypeError):

        class Odd(NamedTuple):
            one: int = 1
            two: int


def test_it_loads_no_typing():
    """Importing it loads neither typing nor re."""
    code = f"import sys; sys.path[:0] = {sys.path!r}; import sleep.tuples; print({{'typing', 're'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_few_fields_and_many_are_made_alike():
    """However many fields there are, values go by place and by name, and an error names the class."""
    for count in (1, 8, 9, 20):
        names = [f"field_{at}" for at in range(count)]
        space = {"__annotations__": dict.fromkeys(names, "int"), names[-1]: 7}
        kind = type(NamedTuple)(f"Of{count}", (NamedTuple,), space)
        values = tuple(range(count - 1))
        assert kind(*values) == kind(**dict(zip(names, values, strict=False))) == (*values, 7)
        with pytest.raises(TypeError, match=f"Of{count}"):
            kind(*range(count + 1))
