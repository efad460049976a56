"""Declarations that stand a step too deep or too far to the left: told once, and read where they belong.

YAML reads such a file without complaint: a key that is indented too little closes the map around it, and one that is
indented too much goes into the map above. What is meant is seen by the names of keys, which differ from form to form.
Each slip of this sort would otherwise be told as several: a key that nobody knows here, one that is missing there, and
every use of what was to be declared.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Entry, Map, Node, Seq, word_at
from ruledsl.source.pieces import short

from .mending import KEYS_OF, is_absent, meant_in

if TYPE_CHECKING:
    from .shapes import Form

_PATH = re.compile(r"[^\W\d][\w.]*(?:\[[^\]]*\])?")  # `me.score`
_CALLED = re.compile(r"[^\W\d]\w*\([^()]*\)")  # `worth(player p)`
_WITH_NAMES = ("condition", "limit", "choices", "variables", "text")  # kinds of keys
_BY_LANGUAGE = ("title", "about")
_LANGUAGES = ("en", "ru")


class _Layout:
    """The sections of a file, put right from the outside in."""

    def __init__(self, whole: Form, forms: dict[str, Form], report: Report) -> None:
        self.whole, self.forms, self.report = whole, forms, report
        self.moved: set[int] = set()  # declarations that were told and moved: what is in them was moved with them

    def relaid(self, game: Map) -> Map:
        game = self._by_content(game)
        entries = self._from_the_left(game)
        found: dict[str, Entry] = {}
        for name, entry in entries.items():
            found.setdefault(name, entry)
            if name in _BY_LANGUAGE and isinstance(entry.value, Map):
                self._out_of_a_text(name, entry, entries, found)
            elif name == "presets" and isinstance(entry.value, Map):
                options = entries["options"].value if "options" in entries else None
                known = options.entries.keys() if isinstance(options, Map) else ()
                out = {k: e for k, e in entry.value.entries.items() if self._is_no_preset(k, e.value, known, entries)}
                if out and not entry.value.flow:
                    self._take_out(name, entry, out, found)
            elif (form := self.forms.get(name)) is not None and isinstance(entry.value, Map):
                self._section(name, entry, form, entries, found)
        same = len(found) == len(game.entries) and all(found.get(n) is e for n, e in game.entries.items())
        return game if same else Map(game.span, found, game.flow, game.broken)

    def _by_content(self, game: Map) -> Map:
        """Sections by another name, known by what stands in them: `components: {disc: {per: player, rows: …}}`."""
        entries: dict[str, Entry] = {}
        for name, entry in game.entries.items():
            if name in entries:
                continue  # what was found elsewhere was put into it
            meant = "" if name in self.whole.known or name in self.whole.tried else self._meant(name, entry.value)
            into = game.get(meant) if meant else None
            if not meant or (into is not None and not (isinstance(into, Map) and isinstance(entry.value, Map))):
                entries[name] = entry
                continue
            said = f"a game has no key `{name}`"
            if isinstance(into, Map) and isinstance(entry.value, Map):
                help = f"move what stands below it to `{meant}:`"
                whole = Map(into.span, {**entry.value.entries, **into.entries}, into.flow, into.broken)
                entries[meant] = Entry(game.entries[meant].key, whole)
            else:
                help = f"did you mean `{meant}`? What stands below it belongs there"
                entries[meant] = Entry(word_at(meant, entry.key.span), entry.value)
            self.report.error("S101", entry.key.span, said, help=help, suggestions=() if into else (meant,))
        return Map(game.span, entries, game.flow, game.broken) if entries.keys() != game.entries.keys() else game

    def _meant(self, name: str, value: Node) -> str:
        """The section that a word may mean by what stands below it; empty if nothing or several are likely."""
        if _CALLED.fullmatch(name) or (isinstance(value, Map) and "is" in value.entries):
            return ""  # a formula that stands too far to the left
        near = meant_in(self.whole, name)[0]
        if isinstance(value, Seq):
            is_play = any(isinstance(item, Map) and item.entries.keys() & {*KEYS_OF} for item in value.items)
            return "play" if is_play and not {"play", "setup"} & {*near} else ""
        if isinstance(value, Map) and (called := [e for e in value if _CALLED.fullmatch(e.key.value)]):
            return "effects" if all(isinstance(e.value, Seq) for e in called) else "define"
        board = self.forms["boards"]
        if isinstance(value, Map) and _fits(value, board) and "space" in value.entries:
            return "board"
        inside = [e.value for e in value if isinstance(e.value, Map)] if isinstance(value, Map) else []
        fit = [
            section
            for section, form in self.forms.items()
            if section != "looks" and inside and all(_fits(one, form) and _has_needed(one, form) for one in inside)
        ]
        if len(near) == 1 and (near[0] in fit or near[0] not in self.forms):
            return ""  # which is told where the keys of the game are looked at
        return fit[0] if len(fit) == 1 else ""

    def _from_the_left(self, game: Map) -> dict[str, Entry]:
        """The sections, each with what stands behind it in the first column and can only belong to it."""
        last, moved = "", dict[str, dict[str, Entry]]()
        for name, entry in game.entries.items():
            if name in self.whole.known:
                last = name
            elif last in self.forms and self._belongs_to(last, name, entry, game):
                moved.setdefault(last, {})[name] = entry
        entries = {name: e for name, e in game.entries.items() if not any(name in more for more in moved.values())}
        for section, more in moved.items():
            into = entries[section].value
            own = into.entries if isinstance(into, Map) else {}
            self._tell_from_the_left(section, own, more)
            span = entries[section].key.span.until(next(reversed(more.values())).value.span)
            entries[section] = Entry(entries[section].key, Map(span, {**own, **more}))
            self.moved |= {id(entry) for entry in more.values()}
        return entries

    def _belongs_to(self, section: str, name: str, entry: Entry, game: Map) -> bool:
        into = game.entries[section].value
        if is_absent(into) and isinstance(entry.value, Map) and _fits(entry.value, self.forms[section]):
            return True
        if is_absent(into):
            return bool(_CALLED.fullmatch(name)) or not (meant_in(self.whole, name)[0] or name in self.whole.tried)
        return isinstance(into, Map) and not into.flow and self._is_declaration(name, entry.value, self.forms[section])

    def _tell_from_the_left(self, section: str, own: dict[str, Entry], more: dict[str, Entry]) -> None:
        for name, entry in more.items():
            if not own:
                said = f"`{short(name)}` is next to `{section}:`, which it belongs to"
                self.report.error("S125", entry.key.span, said, help=f"indent what belongs to `{section}:` by 2 blanks")
                return
            said = f"`{short(name)}` stands in the first column, where the sections of a game stand"
            like = f"like `{short(next(iter(own)))}`"
            help = f"if it belongs to `{section}:`, indent it and what is below it by 2 blanks, {like}"
            self.report.error("S125", entry.key.span, said, help=help)

    def _is_declaration(self, name: str, value: Node, form: Form) -> bool:
        """Whether a key that is none of the game can only be the name of a declaration."""
        if _CALLED.fullmatch(name):
            return form.section in ("define", "effects", "triggers")
        if meant_in(self.whole, name, is_absent(value))[0] or name in self.whole.tried:
            return False
        if form.section == "effects" and isinstance(value, Seq):
            return name.isidentifier()
        if form.section == "define" and not isinstance(value, Map):
            return name.isidentifier() and not is_absent(value)
        return name.isidentifier() and isinstance(value, Map) and not value.entries.keys().isdisjoint(form.known)

    def _is_no_preset(self, name: str, value: Node, options: Collection[str], game: dict[str, Entry]) -> bool:
        if name not in self.whole.known or name in game:
            return False
        return not isinstance(value, Map) or not any(option in value.entries for option in options)

    def _out_of_a_text(self, name: str, entry: Entry, game: dict[str, Entry], found: dict[str, Entry]) -> None:
        """`about: {en: …}`, and below it, as deep, `players: 2`."""
        text = entry.value
        assert isinstance(text, Map)
        out = {k: e for k, e in text.entries.items() if k in self.whole.known and k not in (*_LANGUAGES, *game)}
        if text.flow or not out:
            return
        self._take_out(name, entry, out, found)

    def _take_out(self, name: str, entry: Entry, out: dict[str, Entry], found: dict[str, Entry]) -> None:
        """Sections that stand inside another become sections."""
        inner = entry.value
        assert isinstance(inner, Map)
        for key in (e.key for e in out.values()):
            said = f"`{key.value}` is a section of the game, and stands inside `{name}:`"
            self.report.error("S125", key.span, said, help="start this line in the first column")
        rest = {k: e for k, e in inner.entries.items() if k not in out}
        found[name] = Entry(entry.key, Map(inner.span, rest, inner.flow, inner.broken))
        for key_name, one in out.items():
            found.setdefault(key_name, one)

    def _section(self, name: str, entry: Entry, form: Form, game: dict[str, Entry], found: dict[str, Entry]) -> None:
        inner = entry.value
        assert isinstance(inner, Map)
        if inner.flow:
            return
        out = {k: e for k, e in inner.entries.items() if k not in game and self._is_section(k, e.value, form)}
        if out:
            self._take_out(name, entry, out, found)
            entry, inner = found[name], found[name].value
            assert isinstance(inner, Map)
        entries = self._gathered(inner.entries, form)
        whole: dict[str, Entry] = {}
        for key, one in entries.items():
            whole[key] = one
            if isinstance(one.value, Map) and not one.value.flow:
                self._declaration(name, one, form, game, whole, found)
        if any(whole.get(k) is not e for k, e in inner.entries.items()) or len(whole) != len(inner.entries):
            found[name] = Entry(entry.key, Map(inner.span, whole, inner.flow, inner.broken))

    def _is_section(self, name: str, value: Node, form: Form) -> bool:
        """Whether what stands among declarations by the name of a section is one."""
        if name not in self.whole.known:
            return False
        if name in form.known:
            other = self.forms.get(name)
            inside = [e.value for e in value if isinstance(e.value, Map)] if isinstance(value, Map) else []
            return bool(inside) and other is not None and all(_fits(one, other) for one in inside)
        if name == "players":
            return True
        if isinstance(value, Map):
            return bool(value.entries) and value.entries.keys().isdisjoint(form.known)
        if name == "play" and isinstance(value, Seq):
            return True  # there is none where it belongs
        return isinstance(value, Seq) and name == "setup" and form.section not in ("effects", "triggers")

    def _gathered(self, entries: dict[str, Entry], form: Form) -> dict[str, Entry]:
        """`card:`, and in the same column `count: 3`: what belongs to a declaration stands beside it."""
        found: dict[str, Entry] = {}
        names = list(entries)
        at = 0
        while at < len(names):
            entry, end = entries[names[at]], at + 1
            above = found[last].value if (last := next(reversed(found), "")) else None
            if isinstance(above, Map) and not above.flow and self._is_key_of(names[at], entry.value, above, form):
                said = f"`{names[at]}` is next to `{short(last)}:`, which it belongs to"
                help = f"start it in the same column as `{next(iter(above.entries), 'is')}:`"
                self.report.error("S125", entry.key.span, said, help=help)
                found[last] = Entry(
                    found[last].key, Map(above.span, above.entries | self._unfolded(entry, above, form))
                )
                at += 1
                continue
            while (
                end < len(names)
                and names[end] in form.known
                and self._stands_behind(names[end], entries[names[end]].value, form)
            ):
                end += 1
            own = {name: entries[name] for name in names[at + 1 : end]}
            if not is_absent(entry.value) or not own or names[at] in form.known or len(own) < 2 == len(form.keys):
                found[names[at]] = entry
                at += 1
                continue
            first = next(iter(own.values()))
            said = f"`{first.key.value}` is next to `{short(names[at])}:`, which it belongs to"
            help = f"indent it by 2 blanks more than `{short(names[at])}:`, with what goes with it"
            self.report.error("S125", first.key.span, said, help=help)
            span = first.key.span.until(next(reversed(own.values())).value.span)
            found[names[at]] = Entry(entry.key, Map(span, own))
            at = end
        return found

    def _is_key_of(self, name: str, value: Node, above: Map, form: Form) -> bool:
        """Whether what stands among declarations is a key of the one above it."""
        if name not in form.keys or name in above.entries or not above.entries.keys() <= form.known.keys():
            return False
        if isinstance(value, Map):
            return self._stands_behind(name, value, form)
        return name == "because" or isinstance(value, Seq) or form.section not in ("define", "values", "effects")

    def _stands_behind(self, name: str, value: Node, form: Form) -> bool:
        """Whether a value may stand behind a key of a form, and is no declaration by that name."""
        if not isinstance(value, Map):
            return True
        if form.known[name].kind in _WITH_NAMES:
            return not _fits(value, form) or value.entries.keys() <= {*_NO_NAMES}
        return value.entries.keys().isdisjoint(form.known)

    def _unfolded(self, entry: Entry, above: Map, form: Form) -> dict[str, Entry]:
        """A key that was moved to the left, without the keys beside it that YAML then takes for its own."""
        inner, kind = entry.value, form.known[entry.key.value].kind
        if not isinstance(inner, Map) or kind not in _WITH_NAMES:
            return {entry.key.value: entry}
        beside = {
            k: e for k, e in inner.entries.items() if k in form.known and k not in _NO_NAMES and k not in above.entries
        }
        rest = {k: e for k, e in inner.entries.items() if k not in beside}
        return {entry.key.value: Entry(entry.key, Map(inner.span, rest, inner.flow, inner.broken)), **beside}

    def _declaration(
        self, section: str, entry: Entry, form: Form, game: dict[str, Entry], whole: dict[str, Entry],
        found: dict[str, Entry],
    ) -> None:  # fmt: skip
        """What stands inside a declaration and is another one, or a section."""
        inner = entry.value
        assert isinstance(inner, Map)
        strange = {
            k: e for k, e in inner.entries.items() if k not in form.known and not self._means_a_key(k, e, form)
        }  # fmt: skip
        sections = {k: e for k, e in strange.items() if k not in game and self._is_section(k, e.value, form)}
        others = {
            k: e
            for k, e in strange.items()
            if k not in sections and k not in whole and len(inner.entries) > 1 and self._is_another(k, e.value, form)
        }
        if len(strange) == 1 and not _has_needed(inner, form):  # `iszq: …` for `is: …` is told with the other keys
            others = {k: e for k, e in others.items() if _CALLED.fullmatch(k) or isinstance(e.value, Map)}
        if not sections and not others:
            return
        for key, one in others.items() if id(entry) not in self.moved else ():
            said = f"`{short(key)}` stands inside `{short(entry.key.value)}`, and is one of `{section}:` by itself"
            help = f"start it in the same column as `{short(entry.key.value)}:`"
            self.report.error("S125", one.key.span, said, help=help)
        rest = {k: e for k, e in inner.entries.items() if k not in sections and k not in others}
        whole[entry.key.value] = Entry(entry.key, Map(inner.span, rest, inner.flow, inner.broken))
        whole |= others
        for key, one in sections.items():
            said = f"`{key}` is a section of the game, and stands inside `{short(entry.key.value)}`"
            self.report.error("S125", one.key.span, said, help="start this line in the first column")
            found.setdefault(key, one)

    def _means_a_key(self, name: str, entry: Entry, form: Form) -> bool:
        if isinstance(entry.value, Map) and _fits(entry.value, form):
            return False
        return bool(meant_in(form, name, is_absent(entry.value))[0]) or name in form.tried

    def _is_another(self, name: str, value: Node, form: Form) -> bool:
        if _CALLED.fullmatch(name):
            return form.section in ("define", "effects")
        if name in _LANGUAGES:
            return False
        if form.section == "define" and name.isidentifier() and not is_absent(value):
            return True
        if form.wraps or not name.isidentifier() or not isinstance(value, Map) or not value.entries:
            return False
        needed = {key for key, known in form.keys.items() if known.required}
        return _fits(value, form) and (
            bool(needed & value.entries.keys()) or form.section in ("actions", "pieces", "boards")
        )


def put_below(node: Map, form: Form, report: Report) -> Map:
    """A map with keys that stand beside what they belong to, put there; each is told."""
    if not form.keys.keys() & set(_LANGUAGES):
        node = with_languages(node, report)
    return with_reasons(_in_its_statement(node, form, report), form, report)


def with_reasons(node: Map, form: Form, report: Report) -> Map:
    """`when:` and `is:` in the same column, or `because:` there: what belongs to one condition is put there."""
    if not any(
        (key := form.known.get(name)) is None
        or (key.kind in _HOLDS_REASONS and isinstance(entry.value, Map) and not entry.value.flow)
        for name, entry in node.entries.items()
    ):
        return node
    entries: dict[str, Entry] = {}
    for name, entry in node.entries.items():
        key, inner = form.known.get(name), entry.value
        last = next(reversed(entries), "")
        if key is None and last and form.known.get(last) and (form.known[last].kind in _NAMED or last == "let"):
            if (names := _one_more(entries[last], entry, node, form, report)) is not None:
                entries[last] = Entry(entries[last].key, names)
                continue
        entries[name] = entry
        if key is None or not isinstance(inner, Map) or inner.flow:
            continue
        if key.kind in ("choices", "variables"):
            names = _names_apart(_reasoned(inner, {*inner.entries} - _REASON, report), report)
            entries[name] = entry if names is inner else Entry(entry.key, names)
        elif key.kind in ("condition", "limit") and "is" in inner.entries:
            out = {k: e for k, e in inner.entries.items() if k in form.known and k not in (*_REASON, *node.entries)}
            for one in out.values():
                said = f"`{one.key.value}` stands inside `{name}:`"
                report.error("S125", one.key.span, said, help=f"start it in the same column as `{name}:`")
            rest = {k: e for k, e in inner.entries.items() if k not in out}
            if out:
                entries[name] = Entry(entry.key, Map(inner.span, rest, inner.flow, inner.broken))
                entries |= out
    if "because" in node.entries and "because" not in form.known:
        conditions = {
            name for name in entries if name in form.known and form.known[name].kind in ("condition", "limit")
        }
        entries = _reasoned(Map(node.span, entries, node.flow, node.broken), conditions, report).entries
    same = len(entries) == len(node.entries) and all(entries.get(n) is e for n, e in node.entries.items())
    return node if same else Map(node.span, entries, node.flow, node.broken)


_NAMED = ("choices", "variables", "paths")
_HOLDS_REASONS = ("choices", "variables", "condition", "limit")


def _one_more(names: Entry, entry: Entry, node: Map, form: Form, report: Report) -> Map | None:
    """`choose:` with a name below it, and another name beside it that the rest of the entry speaks of."""
    inner, name = names.value, entry.key.value
    if not isinstance(inner, Map) or inner.flow or not _PATH.fullmatch(name) or is_absent(entry.value):
        return None
    if not inner.entries or name in KEYS_OF or isinstance(entry.value, Seq):
        return None
    after = [e.value.span.text for e in node if e.key.span.start > entry.key.span.start]
    is_used = any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)(?!:)", text) for text in after)
    if not is_used and (len(form.keys) > 2 or meant_in(form, name)[0] or name in form.tried):
        return None
    said = f"`{name}` is next to `{names.key.value}:`, which it belongs to"
    help = f"start it in the same column as `{next(iter(inner.entries))}`"
    report.error("S125", entry.key.span, said, help=help)
    return Map(inner.span, {**inner.entries, name: entry}, inner.flow, inner.broken)


def _names_apart(names: Map, report: Report) -> Map:
    """`from: {is: …, because: …}`, and inside it another name with its own."""
    found: dict[str, Entry] = {}
    for name, entry in names.entries.items():
        inner = entry.value
        found[name] = entry
        if not isinstance(inner, Map) or "is" not in inner.entries or inner.flow:
            continue
        out = {k: e for k, e in inner.entries.items() if k not in (*_NO_NAMES, *names.entries)}
        for one in out.values():
            said = f"`{one.key.value}` stands inside `{name}`, and is a name by itself"
            report.error("S125", one.key.span, said, help=f"start it in the same column as `{name}:`")
        if out:
            rest = {k: e for k, e in inner.entries.items() if k not in out}
            found[name] = Entry(entry.key, Map(inner.span, rest, inner.flow, inner.broken))
            found |= out
    return names if len(found) == len(names.entries) else Map(names.span, found, names.flow, names.broken)


_REASON = {"is", "because"}
_NO_NAMES = ("is", "because", *_LANGUAGES)


def _reasoned(node: Map, names: set[str], report: Report) -> Map:
    """A map in which `is:` and `because:` stand beside the name or condition that they are about."""
    found: dict[str, Entry] = {}
    last = ""
    told = False
    for name, entry in node.entries.items():
        owner = found[last] if last else None
        value = owner.value if owner is not None else None
        own = value.entries if isinstance(value, Map) else {}
        is_own = owner is not None and (is_absent(owner.value) or (own.keys() <= _REASON and "is" in own))
        if name not in _REASON or not is_own or name in own or owner is None:
            found[name] = entry
            last = name if name in names else last if name in _REASON else ""
            continue
        if not told:
            said = f"`{name}` is next to `{last}:`, which it belongs to"
            report.error("S125", entry.key.span, said, help=f"indent it below `{last}:`, by 2 blanks more")
            told = True
        span = entry.key.span.until(entry.value.span) if not own else owner.value.span
        found[last] = Entry(owner.key, Map(span, {**own, name: entry}))
    return Map(node.span, found, node.flow, node.broken)


def with_languages(row: Map, report: Report) -> Map:
    """A map in which `en:` and `ru:` stand beside the `about:` that they are the texts of."""
    if row.flow or not any(name in row.entries for name in _LANGUAGES):
        return row
    found: dict[str, Entry] = {}
    last, told = "", False
    for name, entry in row.entries.items():
        value = found[last].value if last else None
        own = value.entries if isinstance(value, Map) else {}
        if name not in _LANGUAGES or not last or name in own:
            found[name], last = entry, name if _takes_languages(entry.value) else ""
            continue
        if not told:
            said = f"`{name}` is next to `{last}:`, which it belongs to"
            report.error("S125", entry.key.span, said, help=f"indent it below `{last}:`, by 2 blanks more")
            told = True
        found[last] = Entry(found[last].key, Map(entry.key.span.until(entry.value.span), {**own, name: entry}))
    return Map(row.span, found, row.flow, row.broken)


def _takes_languages(value: Node) -> bool:
    return is_absent(value) or (isinstance(value, Map) and not value.flow and value.entries.keys() <= {*_LANGUAGES})


def _in_its_statement(node: Map, form: Form, report: Report) -> Map:
    """`do: {move: d}`, and beside `do:` the `to:` that belongs to `move`."""
    if node.entries.keys() <= form.known.keys():
        return node
    last = ""
    entries: dict[str, Entry] = {}
    for name, entry in node.entries.items():
        inner = entries[last].value if last else None
        verb = next(iter(inner.entries), "") if isinstance(inner, Map) and not inner.flow else ""
        if verb and name not in form.known and name in KEYS_OF.get(verb, ()) and isinstance(inner, Map):
            said, help = f"`{name}` belongs to `{verb}`", f"start it in the same column as `{verb}:`"
            report.error("S125", entry.key.span, said, help=help)
            entries[last] = Entry(entries[last].key, Map(inner.span, {**inner.entries, name: entry}))
            continue
        entries[name] = entry
        last = name if name in form.known and form.known[name].kind == "block" else ""
    return node if len(entries) == len(node.entries) else Map(node.span, entries, node.flow, node.broken)


def _has_needed(value: Map, form: Form) -> bool:
    return all(name in value.entries for name, key in form.keys.items() if key.required)


def _fits(value: Map, form: Form) -> bool:
    """Whether all keys of a map are such as a declaration has."""
    return bool(value.entries) and value.entries.keys() <= form.known.keys()


def relaid(game: Map, whole: Form, forms: list[Form], report: Report) -> Map:
    """The map of a file with its declarations where they belong; each that was moved is reported."""
    return _Layout(whole, {form.section: form for form in forms if form.section}, report).relaid(game)


__all__ = ["put_below", "relaid", "with_languages"]
