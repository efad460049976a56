"""Every operation of programs is complete: its row says all, every executor has it, and the page of programs too."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sources

from games import NAMES, PATHS, ROOT, load
from ruledsl.engine.actions import ACTIONS
from ruledsl.engine.evaluate import Evaluator
from ruledsl.engine.operations import OPERATIONS
from ruledsl.engine.primitives import PRIMITIVES as FUNCTIONS
from ruledsl.generate.c_operations import COperations
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.language import LEAVES
from ruledsl.generate.python_texts import Argument
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import FAR, NUMBER, TRUTH, Kind, a_list, a_set, number
from ruledsl.ir.ops import ACTS, OPS, PRIMITIVES, SORTS, Facts, Given, Row, UnknownOperation, row_of
from ruledsl.ir.walk import within
from ruledsl.types import bits

ROWS = [*OPS.values(), *PRIMITIVES.values(), *ACTS.values()]
NAMED = [f"{row.sort} {row.name}" for row in ROWS]
PAGE = ROOT / "docs" / "program.md"


@pytest.mark.parametrize("row", ROWS, ids=NAMED)
def test_a_row_is_complete(row: Row) -> None:
    takes = [sort.removesuffix("…") for sort in row.takes]
    assert set(takes) <= set(SORTS)
    assert row.gives in (SORTS if row.sort != "act" else ("",))
    assert not any(sort.endswith("…") for sort in row.takes[:-1])
    assert re.fullmatch(r"[a-z].*[^.]", row.does), "a few words, as part of a sentence"
    assert {name.removesuffix("…") for name in row.sets} <= set(row.data)
    assert bool(row.sets) <= (row.sort == "act")
    assert row.looks != "near" or row.data[0] == "near"
    for other, back in ((row.opposite, "opposite"), (row.mirrored, "mirrored")):
        assert not other or getattr(OPS[other], back) == row.name
    if row.fails is not None:
        assert -1 <= row.fails.arg < len(row.takes)
        assert set(re.findall(r"\{(\w+)\}", row.fails.message)) <= set(row.data)
    for said in (row.python, row.c, row.c_word):
        asked = {int(at) for at in re.findall(r"\{(\d)", said)}
        assert not said or not row.takes or asked == set(range(len(row.takes))) or row.of_c


@cache
def tic_tac_toe_in_c() -> CProgram:
    return CProgram(load(ROOT / "examples/tic-tac-toe.yaml").configured().machine.program)


def knows_in_c(method: str) -> bool:
    return hasattr(COperations, method) or tic_tac_toe_in_c().out.method(method) is not None


@pytest.mark.parametrize("row", ROWS, ids=NAMED)
def test_all_executors_have_it(row: Row) -> None:
    tables: dict[str, dict[str, Any]] = {"op": OPERATIONS, "primitive": FUNCTIONS, "act": ACTIONS}
    functions = tables[row.sort]
    assert row.of_c or row.name in functions, "the interpreter has no function for it"
    method = {"op": "op_", "primitive": "prim_", "act": "act_"}[row.sort] + row.name
    assert row.c or knows_in_c(method), f"C needs a method `{method}`, or words in the row"


def test_interpreter_and_rows_have_the_same_names() -> None:
    ours = {row.name for row in PRIMITIVES.values() if not row.of_c}
    assert (set(OPERATIONS), set(FUNCTIONS), set(ACTIONS)) == (set(OPS), ours, set(ACTS))


def test_an_unknown_operation_is_an_error() -> None:
    machine = load(ROOT / "examples/tic-tac-toe.yaml").configured().machine
    program = machine.program
    unknown = C.Op("nonsense", (C.Const(1),))
    asked: list[Callable[[], Any]] = [
        lambda: row_of(unknown),
        lambda: Kinds(program).of(unknown),
        lambda: CProgram(program).out.value(unknown),
        lambda: CProgram(program).out.op("nonsense", ["1"]),
        lambda: Evaluator(machine).of(unknown),
    ]
    for ask in asked:
        with pytest.raises(LookupError, match="nonsense"):
            ask()
    with pytest.raises(UnknownOperation, match="programs have no operation `nonsense`"):
        row_of(C.Act("nonsense", ()))


# --------------------------------------------------------------------------------------- signatures are true


def operations(program: C.Program) -> Iterator[Any]:
    blocks = [part for block in program.blocks for part in (*block.ops, block.end) if part is not None]
    formulas = [formula.body for formula in program.formulas]
    return (node for node in within(*blocks, *formulas) if isinstance(node, C.Op | C.Primitive | C.Act))


def fits(sort: str, kind: Kind | None) -> bool:
    """Whether a value of a kind may stand for a sort: small sets are numbers, and truth values are."""
    plain = {"number": "number", "truth": "number", "set": "set", "list": "list", "bag": "list", "word": "word"}
    return sort == "any" or kind is None or kind.sort == plain[sort] or (sort == "set" and kind.sort == NUMBER)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_signatures_say_what_programs_do(path: Path) -> None:
    program = load(path).configured().machine.program
    kinds = Kinds(program)
    for node in operations(program):
        row, where = row_of(node), f"{node.name} at {node.span}"
        assert len(node.args) == len(row.takes) or (row.takes_many() and len(node.args) >= len(row.takes) - 1), where
        assert isinstance(node, C.Op) or len(node.data) == len(row.data), where
        for at, arg in enumerate(node.args):
            assert fits(row.sort_of(at), kinds.of(arg)), where
        if not isinstance(node, C.Act):
            assert fits(row.gives, kinds.of(node)), where
            assert not row.truth or kinds.of(node) in (TRUTH, None), where


def test_all_names_in_the_package_are_operations() -> None:
    """`C.Op("…"`, `C.Op(name="…" | "…"` and their like."""
    rows = {"Op": OPS, "Primitive": PRIMITIVES, "Act": ACTS}
    wrong = []
    for path in sources.paths():
        for node in sources.nodes(path):
            for sort, name in _named(node):
                if sort in rows and name not in rows[sort] and name != "":
                    wrong.append(f"{path.relative_to(ROOT)}: {sort} {name}")
    assert not wrong


def test_every_operation_is_made_by_something_of_the_language() -> None:
    """By its name or its sign, or by a pass; otherwise three executors say what nobody can ask for."""
    made = {"analysis", "builtins", "statements", "generate"}
    paths = [path for path in sources.paths() if path.relative_to(sources.PACKAGE).parts[0] in made]
    said = {node.value for path in paths for node in sources.nodes(path) if isinstance(node, ast.Constant)}
    rows = {**OPS, **PRIMITIVES, **ACTS}
    assert [name for name, row in rows.items() if said.isdisjoint({name, row.infix or name})] == []


def _named(node: ast.AST) -> Iterator[tuple[str, str]]:
    made: ast.AST
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        sort, made = node.func.attr, node.args[0]
    elif isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Attribute) and "name" in node.kwd_attrs:
        sort, made = node.cls.attr, node.kwd_patterns[node.kwd_attrs.index("name")]
    else:
        return
    if sort in ("Op", "Primitive", "Act"):
        asked = {id(part) for test in ast.walk(made) if isinstance(test, ast.Compare) for part in ast.walk(test)}
        names = [part for part in ast.walk(made) if isinstance(part, ast.Constant) and id(part) not in asked]
        yield from ((sort, part.value) for part in names if isinstance(part.value, str))


# ------------------------------------------------------------------------------ bounds and words are right

LEAST, MOST = -9, 70
SAMPLES = 400


def sample(sort: str, rng: random.Random) -> Any:
    """A value of a sort, as the interpreter has it."""
    match sort:
        case "truth":
            return rng.random() < 0.5
        case "set":
            return rng.getrandbits(MOST) & rng.getrandbits(MOST)
        case "list":
            return tuple(rng.randint(0, MOST - 1) for _ in range(rng.randint(0, 5)))
        case "bag":
            return tuple(rng.randint(-3, 9) for _ in range(4))
    if sort == "sort":
        return rng.randint(-1, 3)
    return rng.randint(LEAST, MOST - 1) if rng.random() < 0.3 else rng.randint(-1, 3)


def narrow(values: list[Any], sort: str) -> Kind:
    """The narrowest kind that has these values."""
    if sort == "set":
        return a_set(max(1, *(value.bit_length() for value in values)))
    if sort in ("list", "bag"):
        items = [item for value in values for item in value] or [0]
        return a_list(number(min(items), max(items) + 1))
    return number(min(values), max(values) + 1)


def has(kind: Kind, value: Any) -> bool:
    if isinstance(value, tuple):
        return all(kind.low <= item < kind.top for item in value)
    return 0 <= value < 1 << kind.top if kind.sort == "set" else kind.low <= value < kind.top


SAMPLED, FEW = {"any": "number", "word": "number"}, {"number": "sort"}
NOT_PLAIN = (
    "span",
    "upto",
    "bag_of",
    "make",
    "rotate",
    "item",
    "price_met",
    "payments",
    "payment",
    "payment_next",
    "exchanges_needed",
)
PLAIN = [row for row in OPS.values() if row.name not in NOT_PLAIN]


@pytest.mark.parametrize("row", PLAIN, ids=[row.name for row in PLAIN])
def test_bounds_and_words_of_a_row_are_right(row: Row) -> None:
    """Of arguments drawn at random: the value lies in the kind, and Python's words come to the same."""
    rng = random.Random(row.name)
    facts = Facts(MOST, 4, MOST + 5)
    for _ in range(SAMPLES // 8):
        sorts = [SAMPLED.get(sort, sort) if "bag" not in row.takes else FEW.get(sort, sort) for sort in row.takes]
        rows = [[sample(sort, rng) for sort in sorts] for _ in range(8)]
        kinds = tuple(narrow([args[at] for args in rows], sort) for at, sort in enumerate(sorts))
        nodes = tuple(C.Get(-1 - at) for at in range(len(kinds)))
        kind = row.kind(Given(kinds, nodes, (), facts))
        for args in rows:
            if row.fails_with(args):
                continue
            value = OPERATIONS[row.name](*args)
            assert has(kind, value), f"{row.name}{args} is {value}, not in {kind}"
            if row.python:
                words = row.python.format(*[Argument(f"({arg!r})") for arg in args])
                said = eval(words, {"members": lambda mask: tuple(bits(mask))})
                assert said == value, f"{row.name}{args}: {words}"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("span", (2, 5)),
        ("upto", (2, 5)),
        ("rotate", (1, 9, 4)),
        ("item", ((3, 4), 3, -1)),
        ("price_met", ((1, 0, 2), (3, 4), (3,))),
        ("payments", ((1, 0, 2), (3, 4), 3, (3,), 13)),
        ("payment", ((1, 0, 2), (3, 4), 3, (3,), 1)),
        ("exchanges_needed", ((1, 0, 2), (3, 4), (9, 9), 3, (3,), (0, 2, 0, 0, 1), (7,))),
        ("payment_next", ((1, 0, 2), (1, 0), (3, 4), 3, (3,))),
    ],
)
def test_bounds_of_the_others(name: str, args: tuple[Any, ...]) -> None:
    row = OPS[name]
    kinds = tuple(narrow([arg], sort) for arg, sort in zip(args, row.takes, strict=True))
    assert has(row.kind(Given(kinds, (), (), Facts(9, 2, FAR))), OPERATIONS[name](*args))


def test_words_of_the_writers_have_their_sets() -> None:
    assert all("{w}" in row.c for row in LEAVES.values())
    for row in ROWS:
        sets = "set" in row.takes or row.gives == "set"
        assert not row.c or row.sort != "op" or ("{w}" in row.c) == sets or row.name in ("equal", "unequal")


# ---------------------------------------------------------------------------------------------------- the page


def table(rows: list[Row]) -> str:
    """Rows as they stand on the page of programs."""
    lines = ["| name | takes and gives | what it is | data | looks at | changes | can fail |"]
    lines.append("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        signature = " ".join([*row.takes, "→", row.gives]).strip()
        name = f"`{row.name}`" + (f" `{row.infix}`".replace("|", "\\|") if row.infix else "")
        changes = ", ".join([*(f"`{slot}`" for slot in row.sets), *([row.changes] if row.changes != "nothing" else [])])
        looks = "" if row.looks == "nothing" else row.looks
        fails = f"“{row.fails.message}”" if row.fails is not None else ""
        data = ", ".join(f"`{one}`" for one in row.data)
        lines.append(f"| {name} | {signature} | {row.does} | {data} | {looks} | {changes} | {fails} |")
    return "\n".join(lines) + "\n"


def test_the_page_has_all_rows(golden: Callable[[str, Path], None]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for title, rows in (("values", OPS), ("primitives", PRIMITIVES), ("acts", ACTS)):
        begin, end = f"<!-- {title}: made from ruledsl/ir/ops.py -->\n", f"<!-- end of {title} -->"
        assert begin in text, f"docs/program.md lacks `{begin.strip()}`"
        before, _, rest = text.partition(begin)
        shown = [row for row in rows.values() if not row.of_c]
        text = before + begin + "\n" + table(shown) + "\n" + end + rest.partition(end)[2]
    golden(text, PAGE)
