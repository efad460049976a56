"""A told game as one HTML page that needs nothing else. Texts of a game go through one escaping function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from .document import Item, Items, Paragraph, Picture, Section, Table
from .markdown import anchor, data_of
from .phrases import NAME, NAME_END, TERM, TERM_END, TERM_NAME
from .text import sentence

_TERM = re.compile(f"{TERM}([^{TERM_NAME}]*){TERM_NAME}([^{TERM_END}]*){TERM_END}")
_ALLOWED = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"  # nothing else may be loaded or run
_STYLE = """\
:root{--ink:#23201c;--soft:#6d655a;--line:#d9d2c5;--paper:#fffdf8;--mark:#8a4b20}
*{box-sizing:border-box}
body{margin:0 auto;padding:2.5rem 1.5rem 5rem;max-width:46rem;background:var(--paper);color:var(--ink);
font:17px/1.55 Georgia,'Times New Roman','DejaVu Serif',serif;hyphens:auto;overflow-wrap:break-word}
h1{font-size:2.3rem;line-height:1.15;margin:0 0 .6rem}
h2{font-size:1.45rem;margin:2.6rem 0 .6rem;padding-bottom:.25rem;border-bottom:2px solid var(--line)}
h3{font-size:1.15rem;margin:1.7rem 0 .4rem}h4,h5,h6{font-size:1rem;margin:1.2rem 0 .3rem;color:var(--soft)}
p{margin:.5rem 0}ul,ol{margin:.35rem 0 .6rem;padding-left:1.5rem}li{margin:.18rem 0}
em{color:var(--mark);font-style:italic}a{color:inherit;text-decoration:underline;text-decoration-color:var(--line)}
a:hover{text-decoration-color:var(--mark)}
nav{columns:2;column-gap:2rem;font-size:.92rem;margin:1.5rem 0 0;padding:.8rem 0;border-top:1px solid var(--line)}
nav a{display:block;text-decoration:none}
.about{font-size:1.12rem;color:var(--soft)}
.table{overflow-x:auto;margin:.8rem 0}table{border-collapse:collapse;font-size:.88rem;line-height:1.35}
th,td{padding:.28rem .7rem .28rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}figure{margin:1.2rem 0;text-align:center}
figure img{max-width:100%;max-height:60rem}figcaption{font-size:.88rem;color:var(--soft)}
@media print{@page{margin:18mm 16mm}body{max-width:none;padding:0;font-size:10.5pt;background:none}
h2,h3,h4{break-after:avoid}li,tr,figure{break-inside:avoid}nav{break-after:page}a{text-decoration:none}
.table{overflow:visible}figure img{max-height:220mm}}"""


def as_html(section: Section, language: str) -> str:
    """The whole page."""
    keys = {part.key: anchor(part.key) for part in section.walk() if part.key}
    title = escape(sentence(_plain(section.title), ""))
    chapters = [(f"chapter-{i}", part) for i, part in enumerate(section.parts, 1)]
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{language}"><head><meta charset="utf-8">',
        '<meta name="generator" content="ruledsl rulebook">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_ALLOWED}">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        *(f'<p class="about">{_inline(b.text, keys)}</p>' for b in section.blocks if isinstance(b, Paragraph)),
        "<nav>",
        *(f'<a href="#{place}">{_inline(sentence(part.title, ""), {})}</a>' for place, part in chapters),
        "</nav>",
    ]
    for place, part in chapters:
        lines += _section(part, 2, keys, place)
    return "\n".join([*lines, "</body></html>"]) + "\n"


def _plain(text: str) -> str:
    return _TERM.sub(r"\2", text).replace(NAME, "").replace(NAME_END, "")


def _inline(text: str, keys: dict[str, str]) -> str:
    def link(found: re.Match[str]) -> str:
        key, shown = found.groups()
        return f'<a href="#{keys[key]}">{shown}</a>' if key in keys else shown

    # Keys of links are names of the rules, which `escape` leaves as they are.
    return _TERM.sub(link, escape(text)).replace(NAME, "<em>").replace(NAME_END, "</em>")


def _section(section: Section, level: int, keys: dict[str, str], place: str = "") -> Iterator[str]:
    head = f"h{min(level, 6)}"
    ids = f' id="{place}"' if place else f' id="{keys[section.key]}"' if section.key else ""
    yield f"<{head}{ids}>{_inline(sentence(section.title, ''), keys)}</{head}>"
    if place and section.key:
        yield f'<a id="{keys[section.key]}"></a>'
    for block in section.blocks:
        yield from _block(block, keys)
    for part in section.parts:
        yield from _section(part, level + 1, keys)


def _block(block: object, keys: dict[str, str]) -> Iterator[str]:
    match block:
        case Paragraph(text=text):
            yield f"<p>{_inline(sentence(text), keys)}</p>"
        case Items(items=items, ordered=ordered):
            yield from _items(items, ordered, keys)
        case Table(head=head, rows=rows):
            yield '<div class="table"><table><thead><tr>'
            yield "".join(f"<th>{_inline(cell, keys)}</th>" for cell in head) + "</tr></thead><tbody>"
            yield from (f"<tr>{''.join(f'<td>{_inline(cell, keys)}</td>' for cell in row)}</tr>" for row in rows)
            yield "</tbody></table></div>"
        case Picture(svg=svg, caption=caption):
            shown = _inline(sentence(caption, ""), keys)
            image = f'<img alt="{escape(_plain(caption))}" src="{data_of(svg)}">'
            yield f"<figure>{image}<figcaption>{shown}</figcaption></figure>"


def _items(items: list[Item], ordered: bool, keys: dict[str, str]) -> Iterator[str]:
    tag = "ol" if ordered and len(items) > 1 else "ul"
    yield f"<{tag}>"
    for item in items:
        text = _inline(sentence(item.text, ":" if item.inner else "."), keys)
        yield f"<li>{text}"
        if item.inner:
            yield from _items(item.inner, item.ordered, keys)
        yield "</li>"
    yield f"</{tag}>"
