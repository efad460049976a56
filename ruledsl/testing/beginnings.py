"""Options by how they begin: `take ...` in a test stands for all options that begin so."""

from __future__ import annotations

import re

from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.typed import LANGUAGES, words


def begun_by(play: Play, text: str, seat: int | None) -> list[Option] | None:
    """The options whose label, in any language, or notation begins with these words; None where no `...` follows."""
    found = re.fullmatch(r"(.*\S)\s*(?:\.\.\.|…)", text.strip())
    wanted = words(found[1]) if found is not None else []
    if not wanted:
        return None
    options = {language: play.options(seat, language) for language in LANGUAGES}
    return [
        option
        for number, option in enumerate(options["en"])
        if any(
            words(said)[: len(wanted)] == wanted
            for each in options.values()
            for said in (each[number].text, each[number].notation)
        )
    ]
