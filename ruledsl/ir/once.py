"""Answers that are worked out once: what an analysis says of an expression, an effect, a formula."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
Self = TypeVar("Self")
Answer = TypeVar("Answer")
Asked = Callable[Concatenate[Self, P], Answer]


def once(meanwhile: Any = None) -> Callable[[Asked[Self, P, Answer]], Asked[Self, P, Answer]]:
    """Keeps the answers of a method by its arguments, as long as its object lives.

    Expressions are told apart by which they are, and are kept. While an answer is being worked out it is `meanwhile`,
    for effects and formulas may come to be asked about within themselves.
    """

    def kept(method: Asked[Self, P, Answer]) -> Asked[Self, P, Answer]:
        name = f"known of {method.__name__}"

        @wraps(method)
        def asked(self: Self, /, *args: P.args, **named: P.kwargs) -> Answer:
            known: dict[Any, Answer] = self.__dict__.setdefault(name, {})
            key = (*args, *named.values())
            if key not in known:
                known[key] = meanwhile
                known[key] = method(self, *args, **named)
            return known[key]

        return asked

    return kept


__all__ = ["once"]
