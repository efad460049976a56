"""Statements that are not written as the language has them: `win me`, `score += 1`, `- to:` as an item of its own."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, is_slip, nearest
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, nodes_of, word_at
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import HOW, VERBS
from ruledsl.syntax.mending import HOMES, KEYS_OF, home_of

if TYPE_CHECKING:
    from .elaborate import Elaborator

_ASSIGNED = re.compile(r"([\w.]+(?:\[[^\]]*\])?)\s*([-+]?)(?::)?=\s*([^=].*)", re.DOTALL)
_GLUED = re.compile(r"(\w+(?: one)?)\s+(\S.*)", re.DOTALL)
_OVER = re.compile(r"(?:(?:each|every|all)\s+)?([^\W\d]\w*)\s+(?:in|of)\s+(\S.*)", re.DOTALL)
_EACH_ONE = re.compile(r"(?:each|every|all)\s+(?:of\s+)?(?:the\s+)?([^\W\d]\w*)")  # `for each player:`
_PATH = re.compile(r"[\w.]+(\[.*\])?")
_ON_CONDITION = re.compile(r"\s(?:if|when|unless)\s")
_DEPENDS = re.compile(r"([\w.]+\(.*\))\s+(if|when|unless)\s+(.+)", re.DOTALL)  # `refill() if n > 3`
_READS = re.compile(r"[\w.]+(?: one)?\s*[:=(]")  # begins as a statement does, or a call
_VERB = re.compile(r"(\w+(?: one)?)\s*([:=(]?)\s*(.*)", re.DOTALL)


_WHETHER = re.compile(r"([^\W\d]\w*(?:\s+[\w.]+)*?)\s+(if|when|unless)\s+(\S.*)", re.DOTALL)
_SHORT = ("me", "end", "stop", "skip", "next", "game")


def _takes(elab: Elaborator, said: re.Match[str]) -> bool:
    """Whether a text begins with an effect, and has as many words behind it as that is given."""
    words = [word for word in re.split(r"[\s,]+", said[2]) if word and word not in _FILLERS]
    known = getattr(elab.world, "procedures", {}).get(said[1])
    return is_effect(elab, said[1]) and known is not None and len(words) == len(known.parameters)


def is_effect(elab: Elaborator, word: str) -> bool:
    declared = elab.world.names.get(word)
    return declared is not None and declared.sort in ("effect", "action")


# Words between the things that an effect is given, for who writes it as a sentence.
_FILLERS = ("to", "by", "with", "from", "of", "on", "at", "in", "for", "and", "the", "a", "an")


# What players say, and what the language has for it.
_SAID = {
    "end: game": r"(the\s+)?game\s+(is\s+)?(over|ends|end|finished)|end\s+of\s+(the\s+)?(game|play)",
    "end: turn": r"next\s+(player|turn)|(the\s+)?turn\s+(is\s+)?(over|ends)|end\s+of\s+(the\s+)?turn",
    "end: round": r"next\s+round|(the\s+)?round\s+(is\s+)?(over|ends)|end\s+of\s+(the\s+)?round",
    "[]": r"do\s+nothing|nothing\s+happens",
}


def statement_meant(node: Scalar, elab: Elaborator) -> tuple[str, str] | None:
    """What is wrong with a text that should be a statement, and what it was to be; None if it may be a call."""
    text = node.value.strip()
    for right, said in _SAID.items():
        if re.fullmatch(said, text, re.IGNORECASE) and text not in elab.world.names:
            return f"`{text}` is not a statement", f"write `{right}`"
    if found := _ASSIGNED.fullmatch(text):
        verb = {"+": "add", "-": "subtract"}.get(found[2], "set")
        return "an expression changes nothing", f"write `{verb}: {{{found[1]}: {found[3]}}}`"
    if (found := _DEPENDS.fullmatch(text)) and "(" in found[1] and " in " not in found[1]:
        condition = f"not ({found[3]})" if found[2] == "unless" else found[3]
        said = "a condition needs its own statement"
        return said, f"write `- if: {condition}`, and below it `then: {found[1]}`"
    if found := re.fullmatch(r"([\w.]+(?:\[[^\]]*\])?)\s*(\+\+|--)", text):
        verb = "add" if found[2] == "++" else "subtract"
        return "an expression changes nothing", f"write `{verb}: {{{found[1]}: 1}}`"
    if (found := _WHETHER.fullmatch(text)) and found[1].split()[0].casefold() in (*KEYS_OF, *VERBS, *_SHORT):
        done = statement_meant(Scalar(node.span, found[1], "plain", node.span), elab)
        right = _ALONE.get(found[1], "") or (done[1].removeprefix("write `").removesuffix("`") if done else "")
        condition = f"not ({found[3]})" if found[2] == "unless" else found[3]
        what = f": {{{right}}}`" if right and "`" not in right else ":` with the statement"
        return "a condition needs its own statement", f"write `- if: {condition}`, and below it `then{what}"
    if (found := re.fullmatch(r"([^\W\d]\w*)\s+([\w.\s,]+)", text)) and _takes(elab, found):
        words = re.split(r"[\s,]+", found[2])
        given = [word for word in words if word and (elab.local(word) is not None or word not in _FILLERS)]
        said = f"`{found[1]}` is an effect: put its arguments in brackets"
        return said, f"write `{found[1]}({', '.join(given)})`"
    if called := _effect_in_words(text, elab):
        return "an effect is called by its name, with brackets", f"write `{called}`"
    if " " in text and elab.report.searches and not _READS.match(text):
        from .deeds import Deeds  # nothing in it is needed where all is right

        if meant := Deeds(elab).meant(text):
            return f"`{' '.join(text.split())}` is said in words, and the rules write it otherwise", f"write {meant}"
    if not (found := _VERB.fullmatch(text)):
        return None
    word, sign, rest = found.groups()
    # `capture(last)` calls something that has been renamed, sooner than it is the verb `remove`.
    verb = word if word in KEYS_OF else word.lower() if sign == "(" else VERBS.get(word.lower(), word.lower())
    if verb not in KEYS_OF or word in elab.world.names or (not rest and sign != ":"):
        return None
    if sign == "(":
        values = [value.strip() for value in rest.rstrip().removesuffix(")").split(",")]
        keys = [key for key in KEYS_OF[verb] if key != verb]
        more = "".join(f", and `{key}: {value}` below it" for key, value in zip(keys, values[1:], strict=False))
        return f"`{verb}` is a statement and takes no brackets", f"write `{verb}: {values[0] or '…'}`{more}"
    if verb == "move":
        rest = re.sub(r"\s+(?:on|onto|into|in|at)\s+", " to ", rest, count=1)
    if inside := re.split(rf"\s+({'|'.join(KEYS_OF[verb])})\s+", rest)[1:]:
        rest = re.split(rf"\s+({'|'.join(KEYS_OF[verb])})\s+", rest)[0]
        more = " and ".join(f"`{key}: {value}`" for key, value in zip(inside[::2], inside[1::2], strict=True))
        return f"a `: ` is missing after `{word}`", f"write `{verb}: {rest}`, and below it {more}"
    if verb in ("gain", "pay") and (amount := re.fullmatch(r"(\d+)\s+(\w+)", rest)):
        rest = f"{{{amount[2]}: {amount[1]}}}"
    return f"a `: ` is missing after `{word}`", f"write `{verb}: {rest or '…'}`"


def _effect_in_words(text: str, elab: Elaborator) -> str:
    """`knock_out(p)` for `knock out p`."""
    words = text.split() if re.fullmatch(r"[\w.]+(?:\s+[\w.]+)+", text) else []
    for size in range(min(4, len(words)), 1, -1):
        name = "_".join(words[:size]).lower()
        if is_effect(elab, name):
            return f"{name}({', '.join(word for word in words[size:] if word not in _FILLERS)})"
    return ""


def is_no_call(node: Scalar, elab: Elaborator, alone: Container[str], report: Report) -> bool:
    """Whether a text among statements is another statement, written otherwise; it is reported.

    Verbs that stand `alone` take nothing, so nothing of theirs is missing.
    """
    name, bracket, _ = node.value.partition("(")
    if bracket and is_effect(elab, name) and not _ON_CONDITION.search(node.value):
        return False  # as nearly all are
    if (meant := statement_meant(node, elab)) and node.value.partition("(")[0].strip() in alone:
        return False
    if meant:
        message, help = meant
        report.error("S115", node.span, message, help=help)
    return meant is not None


# What a word means that stands alone among statements.
_ALONE = {
    "stop": "end: loop", "break": "end: loop", "exit": "end: loop", "finish": "end: game", "game_over": "end: game",
    "draw": "tie: players` for the end of the game, or to take cards `draw: 1", "tie": "tie: players",
    "stalemate": "tie: players", "win": "win: me", "lose": "lose: me", "end_turn": "end: turn",
    "next_turn": "next_turn: me", "nothing": "[]", "none": "[]", "pass": "[]", "skip": "[]",
}  # fmt: skip


def told_no_call(tree: E.Expr, node: Scalar, procedures: Mapping[str, Any], report: Report) -> None:
    """Reports an expression among statements that calls nothing."""
    if isinstance(tree, E.Name):
        known = procedures.get(tree.name)
        call = called(known.signature) if known is not None else f"{tree.name}()"
        help = f"to call an effect, write `{call}`"
        if tree.name in KEYS_OF:
            help = f"it begins one, as in `{tree.name}: …`"
        if known is None and tree.name in _ALONE:
            help = f"write `{_ALONE[tree.name]}`"
        report.error("S115", node.span, f"`{tree.name}` is not a statement", help=help)
        return
    if isinstance(tree, E.Attribute):
        call = f"{tree.span.one_line}()"
        report.error("S115", node.span, "this is a name, not a call", help=f"to call it, write `{call}`")
        return
    help = (
        "a bare text in a block calls an effect, as in `refill()`; change values with `set:` or `add:`, "
        "and `[]` does nothing"
    )
    calls = re.split(r"\s+(?:and|then|&|und|и)\s+|\s*[;,]\s*", node.value)
    if len(calls) > 1 and all(re.fullmatch(r"[\w.]+\(.*\)", call) for call in calls):
        listed = ", ".join(f"`- {call}`" for call in calls)
        help = f"several statements are a list, each on a line of its own: {listed}"
        if not node.span.file.path.endswith((".yaml", ".yml")):
            help += "; in a table write a row of this name under `rows:` of the kind, with the effect there"
    report.error("S115", node.span, "an expression is not a statement", help=help)


def unknown_verb(node: Map, elab: Elaborator, meant: list[str]) -> None:
    """Reports a map among statements that begins with no verb; `meant` are verbs that have such a word beside them."""
    names: Mapping[str, Any] = elab.world.names
    report = elab.report
    key, value = (first := next(iter(node))).key, first.value
    word = key.value
    found = meant or ([VERBS[word.casefold()]] if word.casefold() in VERBS else nearest(word, KEYS_OF))
    usual = "a statement begins with its verb, such as `choose`, `move` or `set`"
    help = HOW.get(word.casefold(), "") or did_you_mean(found) or usual
    if counted := re.fullmatch(r"(?:repeat\s+)?(\d+)\s+times?", word):
        help, found = f"write `repeat: {counted[1]}`, and below it `do:`", []
    if isinstance(value, Scalar) and value.value.startswith("players") and word in ("loop", "turn", "cycle", "each"):
        help, found = f"write `turns: {value.value}`", ["turns"]
    if not found and _PATH.fullmatch(word) and ("." in word or word in names):
        help = f"change values with `set: {{{word}: …}}` or `add: {{{word}: …}}`"
    named = isinstance(value, Map) and word.casefold() in VERBS  # `roll: {f: face}`, and an effect is called `roll`
    if not found and _PATH.fullmatch(word) and isinstance(value, Scalar) and re.fullmatch(r"[-+]=?\s*\d+", value.value):
        verb, number = "subtract" if value.value[0] == "-" else "add", value.value.lstrip("+-= ")
        help = f"write `{verb}: {{{word}: {number}}}`"
    if isinstance(value, Scalar) and value.value in KEYS_OF and not found:
        help = f"write `{value.value}: {word}`"
    if word in _RUN and isinstance(value, Scalar) and re.fullmatch(r"[\w.]+(?:\(.*\))?", value.value):
        call = value.value if value.value.endswith(")") else f"{value.value}()"
        help, found = f"write `- {call}`", []
    elif word in names and names[word].sort in ("effect", "action") and not named:
        help, found = f"to call it, write `- {word}(…)`", []
    elif word == "do" and len(node.entries) == 1:
        help, found = "write its statements right here, without `do:`", []
    elif home_of(word):
        help, found = f"{home_of(word)}: write it below, in the same column, without `-`", []
    elif not help.startswith("write") and word in ("me", "opponent", "player", "players", "owner"):
        help, found = "begin with what is done, as in `add: {me.score: 1}`, `gain: {coin: 1}` or `move: …`", []
    is_typo = any(is_slip(word.casefold(), verb) for verb in found)
    if not is_typo and (told := _in_its_place(node, elab, bool(meant or found or help != usual))):
        help, found = told, []
    report.error("S113", key.span, f"there is no statement `{word}`", help=help, suggestions=tuple(found))


def _in_its_place(node: Map, elab: Elaborator, is_known: bool) -> str:
    """What a map with a verb of one's own says: `eliminate: p`, `place: stone` with `on: p`."""
    texts = [e.value.value for e in node if isinstance(e.value, Scalar) and not e.value.is_null]
    if len(texts) < len(node.entries) or not elab.report.searches:
        return ""
    from .deeds import Deeds  # nothing in it is needed where all is right

    deeds = Deeds(elab)
    said = " ".join(f"{entry.key.value.replace('_', ' ')} {text}" for entry, text in zip(node, texts, strict=True))
    if right := deeds.meant(said):
        return f"write {right}"
    shown = deeds.usual(texts[0]) if len(texts) == 1 and not is_known else []
    if not shown:
        return ""
    *rest, last = (f"`{one}`" for one in shown)
    listed = f"{', '.join(rest)} or {last}" if rest else last
    return f"what is done with `{texts[0]}` is written as in {listed}"


_RUN = ("do", "run", "call", "execute", "perform", "apply", "trigger", "use", "effect", "resolve")


def called(signature: str) -> str:
    """How what has this signature is called: `sell(p)` for `sell(player p)`."""
    name, _, inside = signature.partition("(")
    words = [part.split()[-1] for part in inside.rstrip(") ").split(",") if part.strip()]
    return f"{name.strip()}({', '.join(words)})"


_NOBODY_WINS = ("players", "game", "all", "all players", "everybody", "everyone", "both", "me", "both players")


def _drawn_game(node: Map, report: Report) -> Map:
    """`draw: players`: cards are drawn, and the end without a winner has another word."""
    value = node.get("draw")
    if not isinstance(value, Scalar) or value.value not in _NOBODY_WINS or len(node.entries) > 1:
        return node
    key = next(iter(node)).key
    help = "write `tie: players`; `draw: 2` takes cards from a pile"
    report.error("S115", key.span, "a game that nobody wins is no `draw`", help=help)
    tie = word_at("tie", key.span)
    return Map(node.span, {"tie": Entry(tie, word_at("players", value.span))}, node.flow)


def with_verb(node: Map, report: Report) -> Map:
    """`if x > 3:` with what belongs to it below: the verb and its value stand in one key."""
    first = next(iter(node), None)
    if first is None or any(name in KEYS_OF for name in list(node.entries)[:1]):
        return _drawn_game(node, report) if "draw" in node.entries else node
    found = _GLUED.fullmatch(first.key.value)
    if not found or (verb := found[1].lower()) not in KEYS_OF:
        return node
    if first.key.value.casefold() in VERBS or any(" " in near for near in nearest(first.key.value, KEYS_OF)):
        return node  # a verb of two words
    start = first.key.text_span.start + found.start(2)
    value_span = first.key.span.file.span(start, start + len(found[2]))
    value: Node = Scalar(value_span, found[2], "plain", value_span)
    written, others = found[2], dict(node.entries)
    if verb == "for" and (over := _OVER.fullmatch(written)):
        written, value = f"{{{over[1]}: {over[2]}}}", _named(value_span, over)
    elif verb == "for" and (alone := _EACH_ONE.fullmatch(written)):
        players = alone[1] in ("player", "players")
        name, over_all = ("me", "players") if players else ("x", alone[1])
        written = f"{{{name}: {over_all}}}"
        entry = Entry(Scalar(value_span, name, "plain", value_span), Scalar(value_span, over_all, "plain", value_span))
        value = Map(value_span, {name: entry}, True)
    del others[first.key.value]
    rest = [key for key in KEYS_OF[verb] if key in ("then", "do")]
    body = [first.value] if not isinstance(first.value, Scalar) or not first.value.is_null else []
    if others and rest and not set(others) & set(KEYS_OF[verb]):
        body, others = [Map(first.key.span.until(node.span), others)], {}
    more = f", and `{rest[0]}:` below it" if rest and rest[0] not in others else ""
    help = f"write `{verb}: {written}`{more}"
    report.error("S115", first.key.span, f"a `: ` is missing after `{found[1]}`", help=help)
    entries = {verb: Entry(word_at(verb, first.key.span), value)}
    if rest and rest[0] not in others and body:
        entries[rest[0]] = Entry(word_at(rest[0], first.key.span), body[0])
    return Map(node.span, {**entries, **others}, node.flow, node.broken)


def _named(span: Span, over: re.Match[str]) -> Map:
    """`{d: dike}` for `each d in dike`."""
    name, where = (span.file.span(span.start + over.start(n), span.start + over.end(n)) for n in (1, 2))
    entry = Entry(Scalar(name, over[1], "plain", name), Scalar(where, over[2], "plain", where))
    return Map(span, {over[1]: entry}, True)


def whole_statements(node: Node | None, report: Report) -> Iterator[Node]:
    """The statements of a block; a key that was written as an item of its own belongs to the one before."""
    items = list(nodes_of(node))
    if not isinstance(node, Seq) or len(items) < 2:
        yield from items
        return
    last: Node | None = None
    for item in items:
        if isinstance(last, Map) and isinstance(item, Map) and (verb := _belongs(last, item)):
            key = next(iter(item)).key
            help = f"`{key.value}` belongs to `{verb}` above: write it below that, in the same column, without `-`"
            report.error("S113", key.span, f"there is no statement `{key.value}`", help=help)
            last = Map(last.span.until(item.span), {**last.entries, **item.entries}, last.flow, last.broken)
            continue
        if last is not None:
            yield last
        last = item
    if last is not None:
        yield last


def _belongs(last: Map, item: Map) -> str:
    """The verb of the statement before, if an item begins with one of its keys and is no statement itself."""
    verb = next((name for name in last.entries if name in KEYS_OF), "")
    first = next(iter(item.entries), "")
    if not verb or first in last.entries or any(name in KEYS_OF for name in item.entries):
        return ""
    return verb if verb in HOMES.get(first, ()) else ""


__all__ = ["is_no_call", "told_no_call", "unknown_verb", "whole_statements", "with_verb"]
