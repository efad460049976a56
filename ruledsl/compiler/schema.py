"""The JSON Schemas of game files, made from the same forms as the checks of `check`, for completion in editors.

A form knows its own keys. What stands inside a key is known where that is read, so it is said here once more, in
`_INSIDE`; a key that is missing there may hold whatever its kind allows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.declarations.boards import BOARD
from ruledsl.analysis.declarations.formulas import FORMULA
from ruledsl.analysis.declarations.pieces import KIND
from ruledsl.analysis.declarations.pools import POOL
from ruledsl.analysis.declarations.scoring import SCORING
from ruledsl.analysis.declarations.shown import SHOW
from ruledsl.analysis.declarations.tiles import PARTS
from ruledsl.analysis.declarations.triggers import TRIGGER
from ruledsl.analysis.declarations.types import TYPE
from ruledsl.analysis.forms import DECLARED
from ruledsl.analysis.sections import GAME, MODULE, PART
from ruledsl.boards.base import SHAPES, Parameter, Shape
from ruledsl.registry import import_all
from ruledsl.syntax.shapes import COVERS, KINDS, LANGUAGES, SCALAR, Form, key_schema

import_all("ruledsl.statements")
import_all("ruledsl.boards")

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MADE = "Made by `ruledsl schema --output schemas`; changes here would be lost."


def schemas(tests: Mapping[str, Form]) -> dict[str, Schema]:
    """Every schema by the name of its file; the forms of tests come from above, where tests are run."""
    _FORMS.update(tests)
    return {
        "game.schema.json": _document("game", GAME, "A board game, as `game.yaml` in its folder or as a single file."),
        "part.schema.json": _document("part", PART, "A part of a board game: a file that it names under `include:`."),
        "tests.schema.json": _document("tests", tests["suite"], "Tests of a board game, in a file of their own."),
    }


def text(schema: Schema) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def _document(name: str, form: Form, description: str) -> Schema:
    head = {
        "$comment": MADE,
        "$schema": DRAFT,
        "$id": f"urn:ruledsl:schema:{name}:1",
        "title": f"ruledsl: {form.name}",
        "description": description,
    }
    return {**head, **_form(form), "$defs": _definitions()}


def _definitions() -> Schema:
    row = {"type": "object", "description": "One row of a table."}
    found: Schema = {**_COMMON, "statement": _statement(), "row": row}
    for name, form in _FORMS.items():
        found[name] = _form(form)
    found["board"] = _board(found["board"])
    for verb, known in STATEMENTS.items():
        found[_verb_name(verb)] = {"title": verb, "description": known.doc, **_form(known.form)}
    return found


# ------------------------------------------------------------------------------------------------- pieces


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _named(inner: Schema) -> Schema:
    """A map from names that the designer chooses."""
    return {"type": "object", "additionalProperties": inner}


def _either(word: str, inner: Schema, otherwise: tuple[str, ...] = ("string", "integer", "boolean")) -> Schema:
    """Something written in one line (or of the other types), or else a map or list: never a choice of many."""
    return {"type": [*otherwise, word], "if": {"type": word}, "then": inner}


def _table() -> Schema:
    return {
        "type": ["string", "array", "object"],
        "items": _ref("row"),
        "additionalProperties": {"type": ["object", "null"]},
    }


_COMMON: Schema = {
    "scalar": SCALAR,
    "covers": key_schema(COVERS),
    "expression": {"type": ["string", "integer", "boolean", "array"], "description": "An expression."},
    "type": {"type": ["string", "integer", "array"], "description": "A type, as in `0..5` or `maybe color`."},
    "text": {
        "type": ["string", "integer", "object"],
        "description": "A text for players, or one in each language: `{en: …, ru: …}`.",
        "properties": {language: {"type": ["string", "integer"]} for language in LANGUAGES},
        "additionalProperties": {"type": ["string", "integer"]},
    },
    "block": {
        "type": ["string", "object", "array", "null"],
        "description": "A statement, or a list of statements.",
        "if": {"type": "array"},
        "then": {"items": {"$ref": "#/$defs/statement"}},
        "else": {"$ref": "#/$defs/statement"},
    },
    "menu": {
        "type": ["string", "array"],
        "description": "The name of a menu, or a list of entries.",
        "items": _either("object", {"$ref": "#/$defs/entry"}, ("string",)),
    },
    "table": _table(),
}

# Tokens or the call of an effect; a map that has `is` is one of these with its reason.
_COST: Schema = {
    "type": ["string", "object", "integer"],
    "if": {"type": "object", "required": ["is"]},
    "then": _ref("explained_cost"),
    "else": {"additionalProperties": _ref("expression")},
}

# A text, or one for some of the options; texts by language are a map, too.
_NOTATION: Schema = {
    "type": ["string", "integer", "object"],
    "if": {"type": "object", "anyOf": [{"required": ["as"]}, {"required": ["when"]}, {"required": ["chain"]}]},
    "then": _ref("notation"),
    "else": _ref("text"),
}

# What stands behind a key of each kind, where that is more than one line.
_KINDS: dict[str, Schema] = {
    "expression": _ref("expression"),
    "text": _ref("text"),
    "texts": {
        "type": ["string", "integer", "object", "array"],
        "if": {"type": "array"},
        "then": {"items": _NOTATION},
        "else": _NOTATION,
    },
    "shown": _either("array", {"items": {"type": ["string", "object"]}}, ("string", "object")),
    "block": _ref("block"),
    "menu": _ref("menu"),
    "type": _ref("type"),
    "table": _ref("table"),
    "variables": {"type": "object", "minProperties": 1, "additionalProperties": _ref("expression")},
    "choices": {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": _either("object", _ref("explained_domain"), ("string", "integer", "boolean", "array")),
    },
    "condition": {
        "type": ["string", "integer", "boolean", "object", "array"],
        "if": {"type": "object"},
        "then": _ref("explained_condition"),
        "else": {"items": _either("object", _ref("explained_condition"))},
    },
    "limit": _either("object", _ref("explained_limit")),
    "paths": {"type": "object", "minProperties": 1, "additionalProperties": _ref("expression")},
    "amounts": {"type": ["string", "object", "integer", "array"], "additionalProperties": _ref("expression")},
    "costs": {**_COST, "type": [*_COST["type"], "array"], "items": _COST},
    "events": {"type": ["string", "array"], "items": {"type": "string"}},
    "words": {"type": ["string", "array"], "items": SCALAR},
}

_FORMS: dict[str, Form] = {one.name: one.form for one in DECLARED if one.name}

_ATTRIBUTES = _named(_either("object", _ref("attribute"), ("string", "integer", "array")))
_STATE = _named(_either("object", _ref("changing"), ("string", "integer", "array")))

_SECTIONS: dict[str, Schema] = {
    "players": {"type": ["integer", "string", "array"], "items": {"type": "string"}},
    "options": _named(_ref("option")),
    "presets": _named(_named({"type": ["string", "integer", "boolean", "array"]})),
    "types": _named(_either("object", _ref("named_type"), ("string", "array"))),
    "board": _ref("board"),
    "boards": _named(_ref("board")),
    "pieces": _named(_ref("kind")),
    "places": _named(_ref("place")),
    "pools": _named(_ref("pool")),
    "values": _named(_either("object", _ref("value"), ("string", "integer", "array"))),
    "history": _named(_ref("history")),
    "define": _named(_either("object", _ref("formula"), ("string", "integer", "boolean", "array"))),
    "effects": _named(
        {
            "if": {"type": "object", "required": ["covers", "do"]},
            "then": {
                "type": "object",
                "properties": {"covers": {"type": ["string", "array"]}, "do": _ref("block")},
                "additionalProperties": False,
            },
            "else": _ref("block"),
        }
    ),
    "actions": _named(_ref("entry")),
    "triggers": _named(_ref("trigger")),
    "scoring": _ref("scoring"),
    "modules": _named(_ref("module")),
    "campaign": _ref("campaign"),
    "tests": {"type": "array", "items": _ref("test")},
    "text": _named(_named({"type": ["string", "integer"]})),
    "cases": _named(_named(_ref("cases"))),
    "letters": _named({"type": "string"}),
    "looks": _named(_ref("look")),
    "show": _ref("show"),
    "forbidden": {"type": "array", "items": _ref("forbidden")},
}

_TESTED: dict[str, Schema] = {
    "players": _SECTIONS["players"],
    "options": _named({"type": ["string", "integer", "boolean", "array"]}),
    "letters": _named({"type": "string"}),
    "given": _ref("given"),
    "expect": {
        "type": ["string", "boolean", "array", "object"],
        "items": _either("object", _ref("expectation"), ("string", "boolean")),
        "if": {"type": "object"},
        "then": _ref("expectation"),
    },
    "then": {"type": "array", "items": _ref("step")},
    "play": _ref("random_plays"),
}

_INSIDE: dict[str, dict[str, Schema]] = {
    GAME.name: _SECTIONS,
    PART.name: _SECTIONS,
    MODULE.name: {**_SECTIONS, "play": _named(_ref("block"))},
    TYPE.name: {"attributes": _ATTRIBUTES, "values": _named({"type": ["object", "null"]})},
    BOARD.name: {
        "attributes": _ATTRIBUTES,
        "state": _STATE,
        "holds": {"enum": [1, "any"]},
        "show": {"type": ["string", "array"], "items": {"type": "string"}},
    },
    KIND.name: {
        "each": _named(_ref("type")),
        "rows": {"type": "array", "items": _ref("row")},
        "columns": _named({"type": "string"}),
        "attributes": _ATTRIBUTES,
        "state": _STATE,
        "kinds": _named({"type": ["string", "boolean"]}),
        "parts": _named(_ref("parts")),
    },
    PARTS.name: {"attributes": _ATTRIBUTES},
    POOL.name: {"at": _named({"type": ["string", "array"], "items": {"type": "string"}})},
    SHOW.name: {
        "player": {"type": "array", "items": {"type": ["string", "object"]}},
        "game": {"type": "array", "items": {"type": ["string", "object"]}},
    },
    SCORING.name: {"rows": _named(_ref("expression")), "ties": {"type": "array", "items": _ref("scalar")}},
    TRIGGER.name: {"for": _named(_ref("expression"))},
    "a file of tests": {"tests": {"type": "array", "items": _ref("test")}, "letters": _named({"type": "string"})},
    "a test": _TESTED,
    "a further step": _TESTED,
    "`play`": _TESTED,
    FORMULA.name: {"let": _named(_ref("expression"))},
    "`let`": {"let": _named(_ref("expression"))},
}


def _form(form: Form) -> Schema:
    """A form with what stands inside its keys."""
    inside = _INSIDE.get(form.name, {})
    properties = {}
    for name, key in form.keys.items():
        shallow = key_schema(key)
        deep = {} if key.words else inside.get(name) or _KINDS.get(key.kind, {})
        if "$ref" in deep or (deep and name in inside):
            shallow = {"description": key.doc} if key.doc else {}
        properties[name] = {**shallow, **deep, **({"description": key.doc} if key.doc else {})}
        assert key.kind in KINDS, f"no kind of field is called {key.kind}"
    if form.numbered:
        properties["covers"] = _ref("covers")
    if form is MODULE:
        properties["replace"] = {**properties["replace"], **_replacing(properties)}
    schema: Schema = {"type": "object", "properties": properties}
    required = [name for name, key in form.keys.items() if key.required]
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": form.open}


def _replacing(properties: Schema) -> Schema:
    """What a module replaces has the keys of a module, but for its condition."""
    inner = {name: schema for name, schema in properties.items() if name in {*_SECTIONS, "setup", "heuristic"}}
    return {"type": "object", "properties": inner, "additionalProperties": False}


# --------------------------------------------------------------------------------------------- statements


def _verb_name(verb: str) -> str:
    return "verb_" + verb.replace(" ", "_")


def _statement() -> Schema:
    """A call, or a map with exactly one verb, which says what other keys there may be.

    The condition on the verb makes an editor speak about the key that is wrong, not about thirty verbs that do
    not fit; the properties here are what it offers before there is a verb.
    """
    verbs = {verb: {"description": known.doc.split("\n")[0]} for verb, known in STATEMENTS.items()}
    return {
        "type": ["string", "object", "null"],
        "description": "A statement: a map that begins with a verb, or the call of an effect as a text.",
        "if": {"type": "object"},
        "then": {
            "properties": verbs,
            "anyOf": [{"required": [verb]} for verb in STATEMENTS],
            "allOf": [{"if": {"required": [verb]}, "then": _ref(_verb_name(verb))} for verb in STATEMENTS],
        },
    }


# ------------------------------------------------------------------------------------------------- boards


def _board(schema: Schema) -> Schema:
    """The keys of every shape, of which a board has exactly one."""
    properties = dict(schema["properties"])
    for shape in SHAPES.values():
        if shape.nested:
            properties[shape.key] = _shape(shape)
        else:
            properties |= {name: _parameter(parameter) for name, parameter in shape.parameters.items()}
    needs = [[shape.key, *_needed(shape)] for shape in SHAPES.values()]
    return {**schema, "properties": properties, "oneOf": [{"required": list(dict.fromkeys(keys))} for keys in needs]}


def _needed(shape: Shape) -> list[str]:
    return [] if shape.nested else [name for name, parameter in shape.parameters.items() if parameter.required]


def _shape(shape: Shape) -> Schema:
    schema: Schema = {
        "type": "object",
        "description": shape.doc,
        "properties": {name: _parameter(parameter) for name, parameter in shape.parameters.items()},
        "additionalProperties": False,
    }
    needed: Schema = {"required": [name for name, parameter in shape.parameters.items() if parameter.required]}
    if shape.one_of:
        needed["oneOf"] = [{"required": [name]} for name in shape.one_of]
    if "growing" not in shape.parameters:
        return {**schema, **needed}
    # A board that tiles make has no size of its own.
    return {**schema, "if": {"properties": {"growing": {"const": True}}, "required": ["growing"]}, "else": needed}


def _parameter(parameter: Parameter) -> Schema:
    """A number may also be an expression over options."""
    kinds: dict[str, Schema] = {
        "truth": {"type": "boolean"},
        "int": {"type": ["integer", "string"]},
        "word": {"enum": list(parameter.words)},
        "table": _table(),
        "graph": {"type": "string"},
        "name": {"type": "string"},
        "board": {"type": "string"},
    }
    schema = {**kinds[parameter.type], "description": parameter.doc}
    if parameter.type == "int" and parameter.minimum is not None:
        schema["minimum"] = parameter.minimum
    if parameter.type == "int" and parameter.maximum is not None:
        schema["maximum"] = parameter.maximum
    return schema


__all__ = ["schemas", "text"]
