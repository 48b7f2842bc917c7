"""Named tuples without loading `typing`: for what a hook loads.

`from sleep.tuples import NamedTuple` stands for `from typing import NamedTuple`; type checkers see the original.
Loading typing costs 2 to 4 ms of a hook's 28, and its way of making a class 0.1 to 1.6 ms more: it compiles every
annotation. Fields are what is annotated, in order. Refuses what the original refuses, but for the names of fields,
which are taken as they are.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NamedTuple

    __all__ = ["NamedTuple"]
else:
    from _collections import _tuplegetter

    _Function = type(lambda: None)

    class _Named(type):
        """Turns the body of a class into a tuple with names."""

        def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            """Return the class; the base itself, which nobody makes a value of, stays as it is."""
            if not bases:
                return type.__new__(cls, name, bases, space)
            fields = tuple(space["__annotations__"])  # from 3.14 there because the module has the future import
            defaults = {field: space[field] for field in fields if field in space}
            if list(defaults) != list(fields)[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one with a default")
            own = {
                "__slots__": (),
                "__match_args__": fields,
                "__new__": _maker(name, fields, defaults),
                "__repr__": _repr,
                "__getnewargs__": _plain,
                "_fields": fields,
                "_field_defaults": defaults,
                "_make": classmethod(_make),
                "_replace": _replace,
                "_asdict": _asdict,
            }
            getters = {field: _tuplegetter(at, f"Field {at}") for at, field in enumerate(fields)}
            return type(name, (tuple,), {**own, **space, **getters, "_fields": fields})

    class NamedTuple(metaclass=_Named):
        """The base of a named tuple, as `typing.NamedTuple`."""

    # What makes a tuple of so many fields. A class takes a copy with its own names: compiling one costs 0.1 ms.
    _make_tuple = tuple.__new__
    _MAKERS = tuple(
        maker.__code__
        for maker in (
            lambda cls: _make_tuple(cls, ()),
            lambda cls, a: _make_tuple(cls, (a,)),
            lambda cls, a, b: _make_tuple(cls, (a, b)),
            lambda cls, a, b, c: _make_tuple(cls, (a, b, c)),
            lambda cls, a, b, c, d: _make_tuple(cls, (a, b, c, d)),
            lambda cls, a, b, c, d, e: _make_tuple(cls, (a, b, c, d, e)),
            lambda cls, a, b, c, d, e, f: _make_tuple(cls, (a, b, c, d, e, f)),
            lambda cls, a, b, c, d, e, f, g: _make_tuple(cls, (a, b, c, d, e, f, g)),
            lambda cls, a, b, c, d, e, f, g, h: _make_tuple(cls, (a, b, c, d, e, f, g, h)),
            lambda cls, a, b, c, d, e, f, g, h, i: _make_tuple(cls, (a, b, c, d, e, f, g, h, i)),
            lambda cls, a, b, c, d, e, f, g, h, i, j: _make_tuple(cls, (a, b, c, d, e, f, g, h, i, j)),
            lambda cls, a, b, c, d, e, f, g, h, i, j, k: _make_tuple(cls, (a, b, c, d, e, f, g, h, i, j, k)),
        )
    )

    def _maker(name: str, fields: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., NamedTuple]:
        """Return what makes a value of a class with these fields, as fast as a compiled one where they are few."""
        if len(fields) >= len(_MAKERS) or "_cls" in fields:
            return _new
        code = _MAKERS[len(fields)].replace(
            co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
        )
        return _Function(code, globals(), "__new__", tuple(defaults.values()) or None)

    def _new(cls: type, /, *values: object, **named: object) -> NamedTuple:
        fields = cls._fields
        if named or len(values) < len(fields):
            rest = fields[len(values) :]
            known = {**cls._field_defaults, **named}
            if not named.keys() <= set(rest) or not known.keys() >= set(rest):
                raise TypeError(f"{cls.__name__}({', '.join(fields)}) got {len(values)} values and {', '.join(named)}")
            values += tuple([known[field] for field in rest])
        elif len(values) > len(fields):
            raise TypeError(f"{cls.__name__}({', '.join(fields)}) got {len(values)} values")
        return tuple.__new__(cls, values)

    def _plain(self: NamedTuple) -> tuple[object, ...]:
        return tuple(self)

    def _make(cls: type, values: Iterable[object]) -> NamedTuple:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
        return made

    def _replace(self: NamedTuple, /, **named: object) -> NamedTuple:
        values, fields = list(self), self._fields
        unknown = [name for name in named if name not in fields]
        if unknown:
            raise ValueError(f"{type(self).__name__} has no field {', '.join(unknown)}")
        for name, value in named.items():
            values[fields.index(name)] = value
        return tuple.__new__(type(self), values)

    def _asdict(self: NamedTuple) -> dict[str, object]:
        return dict(zip(self._fields, self, strict=True))

    def _repr(self: NamedTuple) -> str:
        inner = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({inner})"
