"""What `map` says of a board: lines and a table for people, data for programs, figures and colours for pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ruledsl.boards.marks import Mark
from ruledsl.boards.measures import Here, Survey
from ruledsl.wording.columns import columns

_FEW = 6  # spaces that a cell of the table names
_ROWS = 24  # sorts of positions that are shown without `--all`

TEXTS: dict[str, dict[str, str]] = {
    "spaces": {"en": "spaces", "ru": "клеток"},
    "ways": {"en": "pairs of neighbours", "ru": "пар соседей"},
    "neighbours": {"en": "neighbours of a space", "ru": "соседей у клетки"},
    "range": {"en": "{low} to {high}, {mean} on average", "ru": "от {low} до {high}, в среднем {mean}"},
    "steps": {"en": "steps from space to space", "ru": "шагов от клетки до клетки"},
    "at_most": {"en": "{most} at most, {mean} on average", "ru": "не более {most}, в среднем {mean}"},
    "centre": {"en": "centre", "ru": "центр"},
    "from_centre": {"en": "{spaces} ({steps} to the farthest)", "ru": "{spaces} (до самой далёкой {steps})"},
    "cuts": {"en": "spaces that hold the board together", "ru": "клетки, без которых поле распадается"},
    "bridges": {"en": "ways that hold the board together", "ru": "пути, без которых поле распадается"},
    "one_way": {"en": "one-way", "ru": "только в одну сторону"},
    "islands": {"en": "separate parts", "ru": "части без путей между ними"},
    "trap": {"en": "cannot be left", "ru": "отсюда не уйти"},
    "source": {"en": "cannot be entered", "ru": "сюда не попасть"},
    "through": {"en": "entered and left, but no way back", "ru": "проходные, без пути назад"},
    "sorts": {"en": "different positions", "ru": "разных положений"},
    "uncertain": {
        "en": "{number} at least (spaces that look alike were not all compared)",
        "ru": "не меньше {number} (сравнены не все похожие клетки)",
    },
    "estimated": {
        "en": "Betweenness is estimated, as the board is large; `--exact` works it out.",
        "ru": "Посредничество оценено, потому что поле большое; точно его считает `--exact`.",
    },
    "left_out": {
        "en": "Distances are left out, as the board is large; `--exact` works them out.",
        "ru": "Расстояния пропущены, потому что поле большое; их считает `--exact`.",
    },
    "none": {"en": "none", "ru": "нет"},
    "and_more": {"en": "and {number} more", "ru": "и ещё {number}"},
    "more_rows": {"en": "… and {number} more; `--all` shows them", "ru": "… и ещё {number}; их показывает `--all`"},
    "col_spaces": {"en": "spaces in the same position", "ru": "клетки в одинаковом положении"},
    "col_count": {"en": "count", "ru": "число"},
    "col_ways": {"en": "ways", "ru": "пути"},
    "col_out_in": {"en": "out/in", "ru": "из/в"},
    "col_farthest": {"en": "farthest", "ru": "дальше всего"},
    "col_mean": {"en": "on average", "ru": "в среднем"},
    "col_between": {"en": "betweenness", "ru": "посредничество"},
    "col_cut": {"en": "", "ru": ""},
    "cut": {"en": "cuts", "ru": "разделяет"},
    "betweenness": {"en": "betweenness", "ru": "посредничество"},
    "distance": {"en": "steps on average", "ru": "шагов в среднем"},
    "alike": {"en": "positions that are alike", "ru": "одинаковые положения"},
    "parts": {"en": "parts", "ru": "части"},
}


class Words:
    """The fixed words of a language, and numbers as it writes them."""

    def __init__(self, language: str) -> None:
        self.language = language

    def say(self, key: str, **holes: object) -> str:
        return TEXTS[key].get(self.language, TEXTS[key]["en"]).format(**holes)

    def number(self, value: float | None, digits: int = 2) -> str:
        if value is None:
            return "–"
        text = f"{value:,}" if isinstance(value, int) else f"{value:.{digits}f}"
        return text.replace(",", "\u00a0").replace(".", ",") if self.language == "ru" else text

    def listed(self, names: Sequence[str], most: int = _FEW) -> str:
        """`a1, b1, c1 and 5 more`."""
        if len(names) <= most + 1:
            return ", ".join(names)
        return f"{', '.join(names[:most])} {self.say('and_more', number=self.number(len(names) - most))}"


# ------------------------------------------------------------------------------------------- for people


def told(found: Survey, words: Words, titles: dict[str, str], whole: bool) -> list[str]:
    """The board in lines: what holds of all of it, and a row for every sort of position."""
    width = max(columns(label) for label, _ in _facts(found, words, titles))
    lines = [f"{label}{' ' * (width - columns(label))}  {text}" for label, text in _facts(found, words, titles)]
    if not found.betweenness_exact:
        lines.append(words.say("estimated"))
    if not found.distances_known:
        lines.append(words.say("left_out"))
    return [*lines, "", *_table(found, words, titles, whole)]


def _facts(found: Survey, words: Words, titles: dict[str, str]) -> list[tuple[str, str]]:
    def named(names: Sequence[str]) -> str:
        return words.listed([titles[name] for name in names]) or words.say("none")

    def pairs(ends: Sequence[tuple[str, str]], arrow: str) -> str:
        texts = [f"{titles[start]} {arrow} {titles[end]}" for start, end in ends]
        return words.listed(texts) or words.say("none")

    near = [here.ways for here in found.spaces]
    mean = words.number(sum(near) / len(near))
    facts = [
        (words.say("spaces"), words.number(len(near))),
        (words.say("ways"), words.number(found.ways)),
        (words.say("neighbours"), words.say("range", low=min(near), high=max(near), mean=mean)),
    ]
    if found.diameter is not None:
        steps = words.say("at_most", most=words.number(found.diameter), mean=words.number(found.mean_distance))
        facts.append((words.say("steps"), steps))
    if found.radius is not None:
        centre = named([here.space for here in found.spaces if here.farthest == found.radius])
        facts.append((words.say("centre"), words.say("from_centre", spaces=centre, steps=words.number(found.radius))))
    facts.append((words.say("cuts"), named([here.space for here in found.spaces if here.cut])))
    facts.append((words.say("bridges"), pairs(found.bridges, "–")))
    if found.one_way:
        facts.append((words.say("one_way"), pairs(found.one_way, "→")))
    if len(found.islands) > 1:
        facts += [(words.say("islands"), words.number(len(found.islands)))]
        facts += [(f"  {number}", named(spaces)) for number, spaces in enumerate(found.islands[:_FEW], 1)]
    for key, entered, left in (("source", False, True), ("through", True, True), ("trap", True, False)):
        parts = [part for part in found.parts if (part.entered, part.left) == (entered, left)]
        if parts and len(found.parts) > 1:
            facts.append((words.say(key), "; ".join(named(part.spaces) for part in parts[:_FEW])))
    sorts = words.number(len(found.alike))
    facts.append((words.say("sorts"), sorts if found.alike_certain else words.say("uncertain", number=sorts)))
    return facts


def _table(found: Survey, words: Words, titles: dict[str, str], whole: bool) -> list[str]:
    """A row for every sort of position, the busiest first."""
    here = {one.space: one for one in found.spaces}
    one_way = bool(found.one_way)
    head = ["col_spaces", "col_count", "col_out_in" if one_way else "col_ways", "col_farthest", "col_mean"]
    rows = [[words.say(key) for key in (*head, "col_between", "col_cut")]]
    groups = sorted(found.alike, key=lambda names: -here[names[0]].betweenness)
    for names in groups if whole else groups[:_ROWS]:
        first = here[names[0]]
        rows.append(
            [
                words.listed([titles[name] for name in names], len(names) if whole else _FEW),
                words.number(len(names)),
                f"{first.ways}/{first.ways_in}" if one_way else str(first.ways),
                words.number(first.farthest),
                words.number(first.mean_distance),
                words.number(first.betweenness, 3),
                words.say("cut") if first.cut else "",
            ]
        )
    widths = [max(columns(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            _padded(cell, width, left=not place) for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    if len(groups) > len(rows) - 1:
        lines.append(words.say("more_rows", number=words.number(len(groups) - len(rows) + 1)))
    return lines


def _padded(cell: str, width: int, left: bool) -> str:
    space = " " * (width - columns(cell))
    return cell + space if left else space + cell


# ----------------------------------------------------------------------------------------- for programs


def as_data(found: Survey, name: str, title: str) -> dict[str, Any]:
    """The board as `--format json` gives it."""
    return {
        "board": name,
        "title": title,
        "ways": found.ways,
        "diameter": found.diameter,
        "radius": found.radius,
        "mean_distance": found.mean_distance,
        "one_way": [list(pair) for pair in found.one_way],
        "bridges": [list(pair) for pair in found.bridges],
        "islands": [list(spaces) for spaces in found.islands],
        "parts": [{"spaces": list(one.spaces), "entered": one.entered, "left": one.left} for one in found.parts],
        "alike": [list(spaces) for spaces in found.alike],
        "alike_certain": found.alike_certain,
        "betweenness_exact": found.betweenness_exact,
        "spaces": [
            {
                "space": here.space,
                "ways": here.ways,
                "ways_in": here.ways_in,
                "farthest": here.farthest,
                "mean_distance": here.mean_distance,
                "betweenness": here.betweenness,
                "cut": here.cut,
                "alike": here.alike,
                "part": here.part,
            }
            for here in found.spaces
        ],
    }


# ----------------------------------------------------------------------------------------- for pictures

MEASURES: dict[str, Callable[[Here], float | None]] = {
    "betweenness": lambda here: here.betweenness,
    "neighbours": lambda here: here.ways,
    "distance": lambda here: here.mean_distance,
    "alike": lambda here: here.alike,
    "parts": lambda here: here.part,
}
_SORTS = ("alike", "parts")  # numbers that only tell apart
_COLD, _HOT = (0xFF, 0xFF, 0xFF), (0xA0, 0x10, 0x00)


def shaded(found: Survey, measure: str, words: Words) -> list[Mark | None]:
    """A number for every space on a ground that is darker the larger it is; what is alike has a colour of its own."""
    values = [MEASURES[measure](here) for here in found.spaces]
    known = [value for value in values if value is not None]
    least, most = min(known, default=0), max(known, default=0)
    marks: list[Mark | None] = []
    for value in values:
        if value is None:
            marks.append(None)
        elif measure in _SORTS:
            marks.append(Mark(str(int(value) + 1), _apart(int(value))))
        else:
            share = (value - least) / (most - least) if most > least else 0.0
            text = str(value) if isinstance(value, int) else words.number(value, 1 if value >= 10 else 2)
            marks.append(Mark(text, _between(share)))
    return marks


def _between(share: float) -> str:
    parts = (round(cold + (hot - cold) * share) for cold, hot in zip(_COLD, _HOT, strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _apart(number: int) -> str:
    """Colours that differ well from those of the numbers before: steps of the golden angle around the circle."""
    from colorsys import hls_to_rgb

    parts = hls_to_rgb(number * 0.381966 % 1, 0.35 + 0.3 * (number % 3) / 2, 0.9)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
