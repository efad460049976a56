"""The same game written otherwise: one part of the fuzzer, see `fuzz.py`.

Much can be written in more than one way, or says more to people and no more to the rules: a list of one, a map with a
reason, a table by names, the number of a rule. A game at random is made in the plain way; here some of it is rewritten.
What may be written where, the schema tells, so that a new form of a key comes to all keys that have it.
"""

from __future__ import annotations

import copy
from typing import Any
from zlib import crc32

from fuzz_said import Schema, maps

Data = Any

OF_MODULES = (
    "types", "boards", "pieces", "places", "pools", "values", "history", "define", "effects", "actions", "triggers",
)  # fmt: skip
FREE = ("text", "cases", "looks", "letters", "show", "scoring")


def aside(what: Any, times: int) -> bool:
    """Once in so many times, by what there is: the dice of the generator are left as they are."""
    return crc32(repr(what).encode()) % times == 0


def listed(amounts: dict[str, int]) -> Any:
    """Amounts as a map, or once in a while as a list: `[2 wood, gold]`."""
    if not aside(amounts, 3):
        return amounts
    return [name if many == 1 else f"{many} {name}" for name, many in amounts.items()]


def rewritten(data: Data, formulas: dict[str, str]) -> None:
    """`formulas`: what each of them gives, by its header."""
    _boards(data)
    _declared(data)
    _effects(data)
    _replaced(data)
    for at, known, found in list(maps(data)):
        if "covers" in known and "covers" not in found and aside((data["game"], at, found), 4):
            found["covers"] = ["R-5", "R-6"] if aside(found, 2) else "R-7"
        if isinstance(notation := found.get("notation"), list) and aside(notation, 2):
            found["notation"] = notation[-1]
        _explained(at, known, found)
    _reasons_of_formulas(data, formulas)


# --------------------------------------------------------------------------------------------- plain otherwise


def _boards(data: Data) -> None:
    for name, board in _all(data, "boards") + ([("board", data["board"])] if "board" in data else []):
        if "holds" not in board and aside((name, board), 3):
            board["holds"] = 1
        for key in ("spaces", "from"):
            rows = board.get(key)
            if isinstance(rows, list) and all("name" in row for row in rows) and aside((key, rows), 2):
                board[key] = {row["name"]: {k: v for k, v in row.items() if k != "name"} or None for row in rows}
        hexes = board.get("hexes", {})
        if "radius" in hexes and "shape" not in hexes and aside((name, hexes), 2):
            hexes["shape"] = "flat"


def _declared(data: Data) -> None:
    for name, place in _all(data, "places"):
        if place["holds"] != "any" and aside((name, place), 3):
            place["holds"] = [place["holds"]]
        if not {"order", "slots"} & {*place} and aside(name, 3):
            place["order"] = "set"
    for name, action in _all(data, "actions"):
        if "anytime" in action and aside((name, action), 2):
            action["anytime"] = "always"
        if "cost" in action and not isinstance(action["cost"], list) and aside(action["cost"], 2):
            action["cost"] = [action["cost"]]


def _effects(data: Data) -> None:
    for part in (data, *data.get("modules", {}).values()):
        for name, body in part.get("effects", {}).items():
            if part is not data or aside((name, body), 3):
                part["effects"][name] = {"covers": ["R-4"] if aside(body, 2) else "R-4", "do": body}


def _replaced(data: Data) -> None:
    """A module puts something in the place of what there is: the very same."""
    for name, module in data.get("modules", {}).items():
        gone = module.get("remove", [])
        for section in (*OF_MODULES, *FREE):
            found = {k: v for k, v in data.get(section, {}).items() if k.strip("<>") not in gone and k[0] != "<"}
            if found and section not in module.get("replace", {}) and aside((name, section, module), 2):
                chosen = found if section in FREE else {key: found[key] for key in list(found)[:1]}
                module.setdefault("replace", {})[section] = copy.deepcopy(chosen)


def _all(data: Data, section: str) -> list[tuple[str, Data]]:
    parts = [data, *data.get("modules", {}).values()]
    found = [(name, one) for part in parts for name, one in part.get(section, {}).items()]
    return [(name, one) for name, one in found if isinstance(one, dict)]


# ------------------------------------------------------------------------------------------------- for people


def _explained(at: str, known: Schema, found: Data) -> None:
    """Reasons beside what refuses, wherever a map with a reason may stand."""
    chosen = found["choose"] if isinstance(found.get("choose"), dict) else {}
    for key, value in found.items():
        schema, seen = known.get(key, {}), (at, key, found)
        if _reasoned(schema.get("additionalProperties")):
            found[key] = {name: _with_reason(one, (seen, name), 5, name) for name, one in value.items()}
        elif _reasoned(schema):
            name = next(iter(chosen), "") if key == "where" else ""
            parts = value if isinstance(value, list) else [value]
            parts = [_with_reason(part, seen, 3, name) for part in parts]
            if isinstance(value, str) and _lists(schema) and aside((seen, "parts"), 3):
                parts = [*parts, {"is": "turn_number >= 0", "because": "it is too early"}]
            found[key] = parts if isinstance(value, list) or len(parts) > 1 else parts[0]
    if "because" in known and "forbid" in found and aside(found, 2):
        found["because"] = _reason(found, "")


def _lists(schema: Schema) -> bool:
    """Whether several conditions may stand there."""
    return _reasoned(schema.get("else", {}).get("items"))


def _reasoned(schema: Any) -> bool:
    return isinstance(schema, dict) and "explained" in schema.get("then", {}).get("$ref", "")


def _with_reason(value: Data, seen: Any, times: int, name: str = "") -> Data:
    return {"is": value, "because": _reason(seen, name)} if aside((seen, value), times) else value


def _reason(what: Data, name: str) -> Data:
    texts = [f"not {{{name}}}" if name else "it may not be", {"en": "not in turn {turn_number}", "ru": "не сейчас"}]
    return texts[crc32(repr(what).encode()) % 2]


def _reasons_of_formulas(data: Data, formulas: dict[str, str]) -> None:
    """Those beside a formula, and beside the condition that a row holds."""
    for header, formula in data.get("define", {}).items():
        if formulas[header] in ("truth", "set") and aside((header, formula), 3):
            made = formula if isinstance(formula, dict) else {"is": formula}
            data["define"][header] = {**made, "because": _reason(formula, "")}
    for name, kind in _all(data, "pieces"):
        for attribute in [a for a, sort in kind.get("attributes", {}).items() if sort == "condition"]:
            for row in kind["rows"]:
                row[attribute] = _with_reason(row[attribute], name, 3)


__all__ = ["aside", "rewritten"]
