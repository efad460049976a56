"""Switches of the test run: `--quick` for a sample of every file, `--long` for what takes more than seconds,
`--update-golden` for texts beside tests, `--note-slow` for the list of tests that `--quick` leaves out."""

from __future__ import annotations

import difflib
import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ruledsl.generate.native import ASKED
from ruledsl.memory import search_seldom, uncollected

if TYPE_CHECKING:
    from browser import Browser, Serve

SLOW = Path(__file__).parent / "slow.txt"  # of tests that take a while the seconds of the cheapest case, and that case
LONG = 0.05  # CPU seconds of a case above which it is written there
SHARE = 0.25  # CPU seconds that `--quick` has for each file of tests
SHORT = 0.01  # CPU seconds that a test counts which is not written there
KEPT = 24 * 60 * 60.0  # seconds that a compiled game is kept
CASES = 2  # of such a test, with `--quick`


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Whoever is started with `&` by a script must not hear Ctrl-C, nor must its children; but tests press it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="a fair sample: the quickest tests of every file")
    parser.addoption("--long", action="store_true", help="run what takes more than a few seconds, too")
    parser.addoption("--note-slow", action="store_true", help="write down what tests take, by which `--quick` chooses")
    parser.addoption("--update-golden", action="store_true", help="write the texts that golden tests compare with anew")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thirteen thousand tests stay until the end: a search for what nobody needs would find nothing among them."""
    with uncollected():
        found = yield
    search_seldom()
    return found


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        skip = pytest.mark.skip(reason="runs with --long")
        for item in items:
            if "long" in item.keywords:
                item.add_marker(skip)
    if config.getoption("--quick"):
        kept = _sample(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


# ------------------------------------------------------------------------------------------------- sampling


def _sample(items: list[pytest.Item]) -> set[pytest.Item]:
    """Of each file its quickest tests, at least one, as long as their share of the time lasts.

    Some cases of each, picked by their names, so always the same ones; of a test that takes a while the cheapest.
    """
    costs = dict(_costs())
    files: dict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        if "long" not in item.keywords:
            test = _test_of(item.nodeid)
            files[test.partition("::")[0]][test].append(item)
    kept: set[pytest.Item] = set()
    for tests in files.values():
        left = SHARE
        for test in sorted(tests, key=lambda test: (costs.get(test, (SHORT, ""))[0], _by_chance(test))):
            seconds, cheapest = costs.get(test, (SHORT, ""))
            if seconds > left and left < SHARE:
                break
            left -= seconds
            cases = sorted(tests[test], key=lambda item: (_case_of(item) != cheapest, _by_chance(item.nodeid)))
            kept.update(cases[: 1 if cheapest else CASES])
    return kept


def _costs() -> Iterator[tuple[str, tuple[float, str]]]:
    """Of each test that takes a while: the seconds of its cheapest case, and that case."""
    for line in SLOW.read_text(encoding="utf-8").splitlines() if SLOW.is_file() else ():
        seconds, _, case = line.partition(" ")
        yield _test_of(case), (float(seconds), case)


def _test_of(nodeid: str) -> str:
    """The test of a case, with its file."""
    return nodeid.partition("[")[0].partition("@")[0].replace("\\", "/")


def _case_of(item: pytest.Item) -> str:
    return item.nodeid.replace("\\", "/")


def _by_chance(name: str) -> bytes:
    return sha256(name.encode()).digest()


# ---------------------------------------------------------------------------------------------- noting times


def _cpu() -> float:
    """CPU seconds of this process and of all that it has started, a browser at work among them."""
    times = os.times()
    ended = times.user + times.system + times.children_user + times.children_system
    return ended + sum(map(_living, _children("self")))


def _children(process: str) -> list[str]:
    """The numbers of the processes that one has started and that still run; none where no Linux can be asked."""
    found: list[str] = []
    for told in Path("/proc", process, "task").glob("*/children"):
        with suppress(OSError):
            found += told.read_text().split()
    return found


def _living(process: str) -> float:
    try:
        ticks = Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[11:15]
    except OSError:  # it has ended
        return 0.0
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") + sum(map(_living, _children(process)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if not item.config.getoption("--note-slow") or ("long" in item.keywords and not item.config.getoption("--long")):
        return (yield)
    began = _cpu()
    try:
        return (yield)
    finally:
        item.config.stash.setdefault(_NOTED, {})[item.nodeid] = max(0.0, _cpu() - began)


_NOTED = pytest.StashKey[dict[str, float]]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Each worker hands over what its tests took; the last word is that of the session that started them."""
    noted: dict[str, float] = session.config.stash.get(_NOTED, {})
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["cpu"] = noted
    elif session.config.getoption("--note-slow"):
        _write_slow(noted, sampled=session.config.getoption("--quick"))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash.setdefault(_NOTED, {}).update(getattr(node, "workeroutput", {}).get("cpu", {}))


def _write_slow(noted: dict[str, float], sampled: bool = False) -> None:
    """Of a sample only the cheapest case of what is written there was run: it stays there, however short that was."""
    cases: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for nodeid, seconds in noted.items():
        cases[_test_of(nodeid)].append((seconds, nodeid.replace("\\", "/")))
    known = dict(_costs())
    slow = {test: cost for test, cost in known.items() if test not in cases}
    slow |= {test: min(each) for test, each in cases.items() if max(each)[0] > LONG or (sampled and test in known)}
    lines = (f"{seconds:.2f} {case}\n" for _, (seconds, case) in sorted(slow.items()))
    SLOW.write_text("".join(lines), encoding="utf-8", newline="\n")


# ------------------------------------------------------------------------------------------------- fixtures


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
        if not pytestconfig.getoption("--long"):  # compiled in a third of the time; few tests play much
            patch.setenv(ASKED, "-Og")
        yield folder


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether all is looked at (`--long`), or the share of it that the daily run has time for."""
    return bool(pytestconfig.getoption("--long"))


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, where this machine has one."""
    from browser import Browser, need_browser

    need_browser()
    found = Browser()
    yield found
    found.close()


@pytest.fixture
def serve(tmp_path: Path, browser: Browser) -> Iterator[Serve]:
    """Starts servers of games, and stops them."""
    from browser import serving

    from ruledsl import shipped
    from ruledsl.compiler.pipeline import load_blueprint
    from ruledsl.runtime.game import Game

    with ExitStack() as stack:

        def start(name: str) -> str:
            path = shipped.find_game(name)
            assert path is not None
            return stack.enter_context(serving(Game(load_blueprint(path)), tmp_path))

        yield start
        browser.leave()
