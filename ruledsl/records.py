"""`dataclass`, as in the standard library, made in a tenth of the time: for modules with dozens of them.

The standard library compiles up to six functions for each class while a module is loaded; for the forms of expressions
and the operations of programs that took longer than to check a small game. Here all but one are shared, and `__init__`
is compiled when the first of its kind is made. `fields`, `replace` and the like work as with any dataclass.

What is `frozen` is so for the type checker, and can be a key. It is not refused again while a program runs: for that,
each value would have to be set by a call, and of some hundred thousand records a game is worked out with, half the time
would be spent on it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, *, frozen: bool = False, slots: bool = False, eq: bool = True) -> Any:
        """Makes a dataclass of a class; only what is used in this project can be chosen."""

        def make(cls: type) -> type:
            cls.__doc__ = cls.__doc__ or cls.__name__  # else the signature would be written down
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
            return _complete(made, frozen, eq)

        return make if cls is None else make(cls)


def _complete(cls: Any, frozen: bool, eq: bool) -> Any:
    cls.__init__ = _first_init(cls)
    if "__repr__" not in vars(cls):
        cls.__repr__ = _repr
    if eq:
        _compared(cls, frozen)
    return cls


def _first_init(cls: Any) -> Callable[..., None]:
    """Stands in for `__init__` until the first of a class is made."""

    def first(self: Any, *args: Any, **named: Any) -> None:
        cls.__init__ = _init(cls)
        cls.__init__(self, *args, **named)

    return first


def _init(cls: Any) -> Callable[..., None]:
    """Takes the fields in their order, those with a default last, and those that are named behind all others."""
    known: dict[str, Any] = {"_missing": dataclasses.MISSING}
    parameters, lines = ["self"], []
    named: list[str] = []
    for field in dataclasses.fields(cls):
        name = value = field.name
        if not field.init:
            parameter = ""
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
        else:
            parameter = name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}()"
            if parameter:
                parameter, value = f"{name}=_missing", f"{value} if {name} is _missing else {name}"
        if parameter:
            (named if field.kw_only else parameters).append(parameter)
        elif value == name:
            continue  # set by whoever makes it
        lines.append(f"    self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    parameters += ["*", *named] if named else []
    text = f"def __init__({', '.join(parameters)}):\n" + ("\n".join(lines) or "    pass")
    exec(text, known)  # noqa: S102  names of fields, which stand in this package
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _compared(cls: Any, frozen: bool) -> None:
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def same(self: Any, other: object) -> Any:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def digest(self: Any) -> int:
        return hash(values(self))

    if "__eq__" not in vars(cls):
        cls.__eq__ = same
    if vars(cls).get("__hash__") is None:
        cls.__hash__ = digest if frozen else None
