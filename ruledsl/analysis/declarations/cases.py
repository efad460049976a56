"""`cases:`: how names are declined in a language that has cases, where their endings do not tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ruledsl.diagnostics.suggest import did_you_mean, nearest, nearest_or
from ruledsl.source.document import Map, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Form, Key, fields

if TYPE_CHECKING:
    from ruledsl.analysis.world import World

DECLINED = ("ru",)  # the languages whose nouns have cases
COUNTED = ("en",)  # those in which a name only changes behind a number
CASE = Form(
    "a name in its cases",
    {
        "gen": Key("word", "Of what: `камня`."),
        "dat": Key("word", "To what: `камню`."),
        "acc": Key("word", "What is taken: `камень`."),
        "ins": Key("word", "With what: `камнем`."),
        "pre": Key("word", "On what, in what, about what: `камне`."),
        "one": Key("word", "After 1, of a name that names several: `чаша` of `чаши`."),
        "few": Key("word", "After 2, 3 and 4, where it is not `gen`: `часа`."),
        "many": Key("word", "After 5 and more, and after none: `камней`; in English after all but 1: `crosses`."),
    },
)


def declare_cases(world: World) -> None:
    """The forms of names that are written down."""
    for part in world.sections.cases:
        for language in part:
            if language.key.value not in (*DECLINED, *COUNTED):
                known = nearest(language.key.value, (*DECLINED, *COUNTED))
                help = did_you_mean(known) or "names have cases in `ru`, and a form for several in `en`"
                world.report.error("S122", language.key.span, f"`{language.key.value}` has no cases", help=help)
                continue
            table = world.cases.setdefault(language.key.value, {})
            for name in language.value if isinstance(language.value, Map) else ():
                found = fields(name.value, CASE, world.report)
                forms = {key: found.word(key) for key in CASE.keys if found.word(key)} if found is not None else {}
                if forms and language.key.value in COUNTED and set(forms) != {"many"}:
                    help = "write its form for several only: `{many: crosses}`"
                    world.report.error("S122", name.key.span, f"`{language.key.value}` has no cases", help=help)
                elif forms:
                    table[name.key.value] = forms


def unknown_cases(world: World) -> Iterator[tuple[Span, str, Callable[[], str]]]:
    """Names that nothing has in this configuration: the place, what is wrong, what finds advice."""
    declared = [
        (entry.key, name.key)
        for part in world.sections.cases
        for entry in part
        for name in (entry.value if isinstance(entry.value, Map) else ())
    ]
    for language in {language.value for language, _ in declared}:
        known = _said(world, language)
        for at, name in declared:
            if at.value == language and name.value not in known:
                advice = partial(nearest_or, name.value, known, "write the name as players read it")
                yield name.span, f"nothing is called `{name.value}` in this language", advice


def _said(world: World, language: str) -> set[str]:
    found = {titles.get(language, "") for root in world.roots.values() for titles in root.titles if titles}
    found |= {node.value for node in world.sections.texts.get(language, {}).values() if isinstance(node, Scalar)}
    return found
