"""What an expression that cannot be read was meant to be: the change that is advised makes it readable."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic
from ruledsl.diagnostics.render import render

GAME = """
ruledsl: 1
game: meant
players: 2
types:
  hue: {attributes: {worth: 1..4, dark: bool}, values: {red: {worth: 1, dark: true}, blue: {worth: 2, dark: false}}}
pieces:
  card: {each: {hue: hue, size: 1..6}, start: deck}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
values:
  n: 0..9
  score: {per: player, is: 0..99}
  OTHER
setup:
  - shuffle: deck
  - deal: 3
    from: deck
    to: hand
play:
  - rounds: 5
    do:
      - for: {me: players}
        do:
          - let:
              x: EXPRESSION
          - say: "{x}"
          - choose:
              c: DOMAIN
            label: "{c}"
            else: []
          - remove: c
          - set: {n: 3}
          - add: {me.score: c.size}
scoring: {rows: {score: me.score}}
"""

# What is written, what is marked of it, and what stands there when the advice is followed.
EXPRESSIONS = [
    ("count(c in me.hand whree c.size > 2)", "whree", "where"),
    ("count(c in me.hand were c.size > 2)", "were", "where"),
    ("count(c in me.hand with c.size > 2)", "with", "where"),
    ("count(c in me.hand when c.size > 2)", "when", "where"),
    ("count(c in me.hand if c.size > 2)", "if", "where"),
    ("count(c in me.hand Where c.size > 2)", "Where", "where"),
    ("count(c in me.hand где c.size > 2)", "где", "where"),
    ("count(c inn me.hand where c.size > 2)", "inn", "in"),
    ("count(c n me.hand where c.size > 2)", "n", "in"),
    ("count(c of me.hand where c.size > 2)", "of", "in"),
    ("sum(c.size fro c in me.hand)", "fro", "for"),
    ("sum(c.size for each c in me.hand)", "each", ""),
    ("most(p in players bby p.score)", "bby", "by"),
    ("most(p in players order by p.score)", "order by", "by"),
    ("most(p in players by p.score desc)", "desc", ""),
    ("n > 2 adn me.score > 3", "adn", "and"),
    ("n > 2 nad me.score > 3", "nad", "and"),
    ("n > 2 und me.score > 3", "und", "and"),
    ("n > 2 и me.score > 3", "и", "and"),
    ("n > 2 ro me.score > 3", "ro", "or"),
    ("nto n > 2", "nto", "not"),
    ("nit any(deck)", "nit", "not"),
    ("не any(deck)", "не", "not"),
    ("fi n > 2 then 1 else 0", "fi", "if"),
    ("if n > 2 than 1 else 0", "than", "then"),
    ("if n > 2 then 1 els 0", "els", "else"),
    ("if n > 2 then 1 otherwise 0", "otherwise", "else"),
    ("IF n > 2 THEN 1 ELSE 0", "IF n > 2 THEN 1 ELSE", "if n > 2 then 1 else"),
    ("1 if n > 2 else 0", "1 if n > 2 else ", "if n > 2 then 1 else "),
    ("first(me.hand).size othewise 0", "othewise", "otherwise"),
    ("first(me.hand).size ?? 0", "??", "otherwise"),
    ("players form me", "form", "from"),
    ("players aftr me", "aftr", "after"),
    ("players excpet me", "excpet", "except"),
    ("n is 3", "is", "=="),
    ("n is not 3", "is not", "!="),
    ("n equals 3", "equals", "=="),
    ("n = 3", "=", "=="),
    ("n === 3", "===", "=="),
    ("n <> 3", "<>", "!="),
    ("n =/= 3", "=/=", "!="),
    ("n ≠ 3", "≠", "!="),
    ("n ≥ 3", "≥", ">="),
    ("n => 3", "=>", ">="),
    ("n =< 3", "=<", "<="),
    ("n > = 3", "> =", ">="),
    ("n at least 3", "at least", ">="),
    ("n > 3 && n < 9", "&&", "and"),
    ("n > 3 || n < 2", "||", "or"),
    ("n > 1 and !any(deck)", "!", "not "),
    ("n × 2", "×", "*"),
    ("n x 2", "x", "*"),
    ("n − 2", "−", "-"),
    ("n – 2", "–", "-"),
    ("n plus 2", "plus", "+"),
    ("n mod 2", "mod", "%"),
    ("n // 2", "//", "/"),
    ("2n", "", " * "),
    ("n + 1_000", "1_000", "1000"),
    ("n + 1 000", "1 000", "1000"),
    ("n + 1\u00a0000", "1\u00a0000", "1000"),
    ("n + 1'000", "1'000", "1000"),
    ("n + 1e3", "1e3", "1000"),
    ("n + 2.0", "2.0", "2"),
    ("n + 3.5", "3.5", "3"),
    ("n + 3,5", "3,5", "3"),
    ("max(n; 3)", ";", ","),
    ("max(n 3)", " ", ", "),
    ("count me.hand", "count me.hand", "count(me.hand)"),
    ("count of me.hand", "count of me.hand", "count(me.hand)"),
    ('any(c in me.hand where c.hue == "red")', '"red"', "red"),
    ("any(c in me.hand where c.hue == “red”)", "“red”", "red"),
    ("any(c in me.hand where c.hue in {red, blue})", "{red, blue}", "[red, blue]"),
    ("any(c in me.hand where c.hue in (red, blue))", "(red, blue)", "[red, blue]"),
    ("any(c in me.hand where c.hue in [red blue])", "[red blue]", "[red, blue]"),
    ("n + 2.", ".", ""),
    ("n + 2;", ";", ""),
    ("co\u200bunt(me.hand)", "\u200b", ""),
    ("cоunt(me.hand)", "cоunt", "count"),
    ("соunt(me.hand)", "соunt", "count"),
    ("сount(me.hand)", "сount", "count"),
    ("cοunt(me.hand)", "cοunt", "count"),  # with a Greek letter
    ("n + socre", "socre", "me.score"),
    ("cuont(me.hand)", "cuont", "count"),
    ("len(me.hand)", "len", "count"),
    ("count(me.hnad)", "hnad", "hand"),
    ("n + three", "three", "3"),
    ("n + l0", "l0", "10"),
    ("n + size", "size", ""),
    ("me.hand.count", "count", ""),
    ("me.hand > 2", "me.hand > 2", ""),
    ("any(c in me.hand where c.hue == red or blue)", "blue", ""),
    ("any(c in me.hand where c.hue == Red)", "Red", "red"),
    ("any(c in me.hand where c.hue == rde)", "rde", "red"),
    ("any(c in me.hand where c.hue.dark == False)", "False", "false"),
    ("any(c in me.hand where c.hue.dark == нет)", "нет", "false"),
]
DOMAINS = [
    ("me.hand whree c.size > 2", "whree", "where"),
    ("me.hand with c.size > 2", "with", "where"),
    ("the me.hand", "the", ""),
]
TYPES = [
    ("0-9", "0-9", "0..9"),
    ("0–9", "0–9", "0..9"),
    ("0…9", "0…9", "0..9"),
    ("0...9", "0...9", "0..9"),
    ("0 to 9", "0 to 9", "0..9"),
    ("from 0 to 9", "from 0 to 9", "0..9"),
    ("0.9", "0.9", "0..9"),
    ("9", "9", "0..9"),
    ("0..1_000", "1_000", "1000"),
    ("0..1 000", "1 000", "1000"),
    ("0..3.5", "3.5", "3"),
    ("mabe hue", "mabe", "maybe"),
    ("maybe heu", "heu", "hue"),
    ("set off hue", "off", "of"),
    ("list of card upto 5", "upto", "up to"),
    ("boolean", "boolean", "bool"),
    ("int", "int", ""),
    ("string", "string", ""),
]


def told(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "meant.yaml"
    path.write_text(text, encoding="utf-8")
    return [found for found in pipeline.check(path).sorted() if found.severity == "error"]


def whole(expression: str = "n + 1", domain: str = "me.hand", other: str = "") -> str:
    return GAME.replace("EXPRESSION", expression).replace("DOMAIN", domain).replace("OTHER", other)


def looked_at(folder: Path, text: str, written: str, marked: str, right: str) -> None:
    found = told(folder, text)
    shown = "\n\n".join(map(render, found))
    assert len(found) == 1, shown
    (one,) = found
    assert one.span is not None
    assert one.help, shown
    assert text[one.span.start : one.span.end].strip() in marked.strip() or not marked.strip(), shown
    if right:
        at = text.index(written) + written.index(marked or "n") if not one.suggestions else one.span.start
        mended = text[:at] + right + text[at + len(marked) :]
        after = told(folder, mended)
        assert not after, shown + "\n\nfollowed:\n\n" + "\n\n".join(map(render, after))
        assert not one.suggestions or one.suggestions[0].strip() == right.strip() or marked.strip() == "", shown


def test_the_game_is_sound(tmp_path: Path) -> None:
    assert not told(tmp_path, whole())


@pytest.mark.parametrize(("written", "marked", "right"), EXPRESSIONS, ids=[e[0] for e in EXPRESSIONS])
def test_expressions(tmp_path: Path, written: str, marked: str, right: str) -> None:
    looked_at(tmp_path, whole(expression=written), written, marked, right)


@pytest.mark.parametrize(("written", "marked", "right"), DOMAINS, ids=[e[0] for e in DOMAINS])
def test_domains(tmp_path: Path, written: str, marked: str, right: str) -> None:
    looked_at(tmp_path, whole(domain=written), written, marked, right)


@pytest.mark.parametrize(("written", "marked", "right"), TYPES, ids=[e[0] for e in TYPES])
def test_types(tmp_path: Path, written: str, marked: str, right: str) -> None:
    looked_at(tmp_path, whole(other=f"z: {written}"), written, marked, right)
