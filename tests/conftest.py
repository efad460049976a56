"""Switches of the test run: `--long` for what takes more than seconds, `--update-golden` for texts beside tests."""

import difflib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

KEPT = 24 * 60 * 60.0  # seconds that a compiled game is kept


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run what takes more than a few seconds, too")
    parser.addoption("--update-golden", action="store_true", help="write the texts that golden tests compare with anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="runs with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session", autouse=True)
def compiled(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What tests compile is kept beside what pytest keeps, for all tests, workers and runs; never in the user's cache.

    The names of compiled games hold all that they were made from, so nothing stale can be used.
    """
    if named := os.environ.get("RULEDSL_CACHE"):
        yield Path(named)
        return
    kept = getattr(pytestconfig, "cache", None)
    folder = kept.mkdir("ruledsl-compiled") if kept is not None else tmp_path_factory.mktemp("compiled")
    for old in folder.iterdir():
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > KEPT:
                old.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEDSL_CACHE", str(folder))
        yield folder


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Path], None]:
    """`golden(text, path)`: the text is what the file holds; with --update-golden the file is written."""

    def compare(text: str, path: Path) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.is_file(), f"{path} is missing; --update-golden writes it"
        kept = path.read_text(encoding="utf-8")
        if text != kept:
            changes = difflib.unified_diff(kept.splitlines(), text.splitlines(), str(path), "now", lineterm="")
            pytest.fail("\n".join(["the text has changed; --update-golden accepts it:", *changes]), pytrace=False)

    return compare
