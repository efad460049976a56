"""The pictures of the README are what the commands show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pictures
import pytest


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_is_what_is_shown(name: str, tmp_path: Path, golden: Callable[[str, Path], None]) -> None:
    drawn = pictures.PICTURES[name](tmp_path)
    ElementTree.fromstring(drawn)
    golden(drawn, pictures.FOLDER / name)


def test_the_readme_shows_them_all() -> None:
    readme = (pictures.ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r'src="docs/pictures/([\w.]+)"[^>]* alt="[^"]+"', readme)
    assert sorted(shown) == sorted(pictures.PICTURES)
