"""`show:` and its words: when places, values and pools are shown."""

from __future__ import annotations

from ruledsl.syntax.shapes import Form, Key

# What places, values and pools may say; the meanings of all but `never` are in `runtime.table`.
WHEN = ("always", "some", "never")
SEERS = ("all", "none", "owner", "others")  # who may see what is in a place or in a value
OF_PLACES = (*WHEN, "lines", "count", "known")

SHOW = Form(
    "what is shown",
    {
        "player": Key("list", "For every player, as `me`: values, formulas and texts, instead of all their counters."),
        "game": Key("list", "For the game as a whole: values, formulas and texts."),
        "score": Key("truth", "Whether the current points of each row of `scoring` are shown (default: yes)."),
    },
)

__all__ = ["OF_PLACES", "SEERS", "SHOW", "WHEN"]
