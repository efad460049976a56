"""The forms of what a game declares: the reference, the JSON Schema and whoever goes through all of them ask here."""

from __future__ import annotations

from ruledsl.records import dataclass
from ruledsl.syntax.shapes import Form

from .choosing import ENTRY, NOTATION
from .declarations.boards import BOARD
from .declarations.campaign import CAMPAIGN
from .declarations.cases import CASE
from .declarations.columns import ATTRIBUTE, STATE
from .declarations.formulas import FORMULA
from .declarations.history import HISTORY
from .declarations.looks import LOOK
from .declarations.options import OPTION
from .declarations.paintings import SPOT
from .declarations.pieces import KIND
from .declarations.places import PLACE
from .declarations.pools import POOL
from .declarations.scoring import SCORING
from .declarations.shown import SHOW
from .declarations.tiles import PARTS
from .declarations.triggers import TRIGGER
from .declarations.types import TYPE
from .declarations.values import VALUE
from .reasons import CONDITION, COST, DOMAIN, LIMIT
from .sections import FORBIDDEN, GAME, MODULE


@dataclass(frozen=True)
class Declared:
    """A form, its name among the definitions of the schema, and its title in the reference; "" where it has none."""

    form: Form
    name: str
    title: str = ""


DECLARED = (
    Declared(GAME, "", "the game file"),
    Declared(OPTION, "option", "`options:`"),
    Declared(TYPE, "named_type", "`types:`"),
    Declared(BOARD, "board", "`board:`"),
    Declared(KIND, "kind", "`pieces:`"),
    Declared(ATTRIBUTE, "attribute", "an attribute"),
    Declared(STATE, "changing", "what stands under `state:`"),
    Declared(PARTS, "parts", "`parts:`"),
    Declared(PLACE, "place", "`places:`"),
    Declared(POOL, "pool", "`pools:`"),
    Declared(VALUE, "value", "`values:`"),
    Declared(FORMULA, "formula", "`define:`"),
    Declared(ENTRY, "entry", "`actions:`"),
    Declared(TRIGGER, "trigger", "`triggers:`"),
    Declared(HISTORY, "history", "`history:`"),
    Declared(SCORING, "scoring", "`scoring:`"),
    Declared(SHOW, "show", "`show:`"),
    Declared(MODULE, "module", "`modules:`"),
    Declared(CASE, "cases", "`cases:`"),
    Declared(LOOK, "look", "`looks:`"),
    Declared(SPOT, "spot", "`spots:` of `looks:`"),
    Declared(CAMPAIGN, "campaign"),
    Declared(NOTATION, "notation"),
    Declared(FORBIDDEN, "forbidden"),
    Declared(CONDITION, "explained_condition"),
    Declared(DOMAIN, "explained_domain"),
    Declared(LIMIT, "explained_limit"),
    Declared(COST, "explained_cost"),
)
