"""Every code of a finding, with what it means, a wrong example and the right one."""

from ruledsl.diagnostics.catalogue.boards import BOARDS
from ruledsl.diagnostics.catalogue.doubts import DOUBTS
from ruledsl.diagnostics.catalogue.flow import FLOW
from ruledsl.diagnostics.catalogue.lints import LINTS
from ruledsl.diagnostics.catalogue.names import NAMES
from ruledsl.diagnostics.catalogue.ranges import RANGES
from ruledsl.diagnostics.catalogue.reading import READING
from ruledsl.diagnostics.catalogue.shape import SHAPE
from ruledsl.diagnostics.catalogue.syntax import SYNTAX
from ruledsl.diagnostics.catalogue.tests import TESTS
from ruledsl.diagnostics.catalogue.types import TYPES
from ruledsl.diagnostics.catalogue.wanted import WANTED
from ruledsl.diagnostics.entry import Code

FAMILIES = (READING, SHAPE, SYNTAX, NAMES, TYPES, WANTED, RANGES, BOARDS, FLOW, (*LINTS, *DOUBTS), TESTS)
CODES: dict[str, Code] = {code.code: code for family in FAMILIES for code in family}


def explain(code: str) -> str:
    """The page about a code; KeyError if there is none."""
    known = CODES[code.upper()]
    page = f"{known.code}: {known.title}\n\n{known.explanation}\n"
    if known.wrong:
        page += f"\nWrong:\n\n{_indented(known.wrong)}\nRight:\n\n{_indented(known.right)}"
    return page


# What an example leaves out: the least that makes a game of it.
_FRAME = {
    "ruledsl": "ruledsl: 1\n",
    "game": "game: example\n",
    "players": "players: 2\n",
    "board": "board: {grid: {width: 3, height: 3}}\n",
    "pieces": "pieces:\n  stone: {per: player, count: 9}\n",
    "play": "play:\n  - turns: players\n    do:\n      - choose: {free: board where empty(free)}\n"
    "        else: {tie: players}\n"
    "      - move: stone\n        to: free\n",
}  # fmt: skip


def complete(example: str) -> str:
    """An example as a whole game, to be checked and played."""
    if example.startswith("- "):
        inside = "".join(f"      {line}\n" for line in example.splitlines())
        example = f"play:\n  - turns: players\n    do:\n{inside}"
    if "pieces:" in example or "boards:" in example:
        example += "" if "\nplay:" in f"\n{example}" else "play:\n  - tie: players\n"
    keys = {line.split(":")[0] for line in example.splitlines()}
    return (
        "".join(text for key, text in _FRAME.items() if key not in keys and not (key == "board" and "boards" in keys))
        + example
    )


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())
