# ruff: noqa: E501, UP031  (hostile texts are clearest in one line)
"""Files that are meant to do harm are answered in seconds, in little memory, and never by a traceback.

They are checked by one process that has 1.5 GB of memory and no more. The guards on time are wide: they are
against hangs, not against slow machines.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from ruledsl.cli.main import main

HEAD = "ruledsl: 1\ngame: hostile\nplayers: 2\n"
PLAY = "play:\n  - tie: players\n"
SECONDS = 30  # for one file; the slowest takes about 3 on a slow machine
HANGS = 300.0  # seconds after which a process is given up
MEMORY = 1_500_000_000

# What a hostile designer may write; whether it is refused is not asked, only that it is answered.
FILES = {
    "alias_bomb": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)),
    "brackets": "a: " + "[" * 100000,
    "braces": "a: " + "{" * 100000,
    "deep_yaml": "".join(" " * i + "a:\n" for i in range(3000)),
    "deep_blocks": HEAD
    + "play:\n"
    + "".join("  " * i + "  - if: true\n" + "  " * i + "    then:\n" for i in range(45))
    + "  " * 46
    + "  - tie: players\n",
    "parens": HEAD + "define:\n  a: " + "(" * 100000 + "1" + ")" * 100000 + "\n" + PLAY,
    "parens50": HEAD + "define:\n  a: " + "(" * 58 + "1" + ")" * 58 + "\n" + PLAY,
    "lists": HEAD + "define:\n  a: '" + "[" * 58 + "1" + "]" * 58 + "'\n" + PLAY,
    "operators": HEAD + "define:\n  a: 1" + " + 1" * 10000 + "\n" + PLAY,
    "operators150": HEAD + "define:\n  a: 1" + " + 1" * 149 + "\n" + PLAY,
    "nots": HEAD + "define:\n  a: " + "not " * 149 + "true\n" + PLAY,
    "ifs": HEAD + "define:\n  a: " + "if true then 1 else " * 60 + "2\n" + PLAY,
    "minuses": HEAD + "define:\n  a: " + "-" * 149 + "2\n" + PLAY,
    "big_number": HEAD + "define:\n  a: " + "9" * 3000 + "\n" + PLAY,
    "big_int_key": "ruledsl: " + "9" * 100000 + "\n" + PLAY,
    "players_big": "ruledsl: 1\ngame: x\nplayers: " + "9" * 5000 + "\n" + PLAY,
    "width": HEAD + "board: {grid: {width: 1000000000, height: 3}}\n" + PLAY,
    "width2": HEAD + "board: {grid: {width: 1000, height: 1000}}\n" + PLAY,
    "radius": HEAD + "board: {hexes: {radius: 81}}\n" + PLAY,
    "track": HEAD + "board: {track: 1000000000}\n" + PLAY,
    "tracks": HEAD
    + "boards:\n"
    + "".join(f"  b{i}: {{grid: {{width: 140, height: 140}}, space: s{i}}}\n" for i in range(30))
    + PLAY,
    "ringmax": HEAD + "board: {ring: 10000}\n" + PLAY,
    "count": HEAD + "pieces: {a: {count: 1000000000}}\n" + PLAY,
    "each": HEAD
    + "types: {t: ["
    + ",".join(f"m{i}" for i in range(300))
    + "]}\npieces: {a: {each: {x: t, y: t, z: t}}}\n"
    + PLAY,
    "each_range": HEAD + "pieces: {a: {each: {x: 0..1000000000}}}\n" + PLAY,
    "copies": HEAD + "pieces: {a: {rows: [{name: b, copies: 1000000000}]}}\n" + PLAY,
    "range": HEAD + "values: {a: 0..1000000000}\n" + PLAY,
    "per_range": HEAD + "values: {a: {is: 0..1, per: 0..1000000000}}\ntypes: {r: 0..1000000000}\n" + PLAY,
    "per_type": HEAD + "types: {r: 0..1000000000}\nvalues: {a: {is: 0..1, per: r}}\n" + PLAY,
    "option_range": HEAD + "options: {a: {is: 0..2000000000, start: 5}}\nvalues: {b: 0..a}\n" + PLAY,
    "attr_by_range": HEAD
    + "types: {r: 0..1000000000}\npieces: {a: {attributes: {x: 0..9 by r}, rows: [{name: b, x: [1]}]}}\n"
    + PLAY,
    "place_per_range": HEAD
    + "types: {r: 0..1000000000}\npieces: {a: {count: 3}}\nplaces: {p: {holds: a, per: r}}\n"
    + PLAY,
    "set_range": HEAD + "define:\n  a: count(set(n for n in 1..2000000000))\n" + PLAY,
    "set_range2": HEAD
    + "types: {r: 1..2000000000}\nvalues: {a: set of r}\nplay:\n  - set: {a: 1..2000000000}\n  - tie: players\n",
    "count_range": HEAD + "values: {a: {is: 0..2000000000, start: count(n in 1..2000000000 where n > 5)}}\n" + PLAY,
    "nested_count": HEAD
    + "values:\n  a:\n    is: 0..2000000000\n    start: count(a in 1..3000, b in 1..3000, c in 1..3000 where a + b > c)\n"
    + PLAY,
    "where_range": HEAD + "types: {r: 1..2000000000, s: {some: r, where: this > 5}}\n" + PLAY,
    "list_range": HEAD + "values: {a: list of 0..9 up to 1000000000}\n" + PLAY,
    "list_concat": HEAD
    + "define:\n  a: list(n for n in 1..2000000000)\nvalues: {b: {is: 0..9, start: count(list(n for n in 1..2000000000))}}\n"
    + PLAY,
    "only_span": HEAD + "values: {b: {is: 0..9, start: count(1..2000000000)}}\n" + PLAY,
    "for_range": HEAD + "play:\n  - for: {n: 1..2000000000}\n    do: {say: '{n}'}\n",
    "choose_range": HEAD
    + "play:\n  - choose: {n: 1..2000000000}\n    else: {tie: players}\n  - say: '{n}'\n  - tie: players\n",
    "repeat": HEAD + "play:\n  - repeat: 2000000000\n    do: {say: x}\n",
    "rounds": HEAD + "play:\n  - rounds: 2000000000\n    do: {say: x}\n",
    "while_most": HEAD + "values: {n: 0..9}\nplay:\n  - while: n < 5\n    most: 2000000000\n    do: {set: {n: 1}}\n",
    "history": HEAD + "history: {h: {of: [me], keep: 2000000000}}\n" + PLAY,
    "slots": HEAD + "pieces: {a: {count: 3}}\nplaces: {p: {holds: a, slots: 2000000000}}\n" + PLAY,
    "pool": HEAD + "pools: {g: {total: 2000000000, at: {player: purse}, start: {purse: 1000000000}}}\n" + PLAY,
    "bag_times": HEAD
    + "types: {t: [a, b]}\npools: {g: {of: t, total: 9, at: {player: purse}}}\ndefine:\n  x: each(t) * 2000000000 * 2000000000\n"
    + PLAY,
    "chain": HEAD
    + "define:\n"
    + "".join(f"  f{i}(0..9 n): f{i + 1}(n)\n" for i in range(10000))
    + "  f10000(0..9 n): n\n"
    + PLAY,
    "chain_effects": HEAD
    + "effects:\n"
    + "".join(f"  e{i}: e{i + 1}()\n" for i in range(10000))
    + "  e10000: {say: x}\n"
    + PLAY,
    "doubling": HEAD
    + "define:\n"
    + "".join(f"  f{i}(0..9 n): f{i + 1}(n) + f{i + 1}(n)\n" for i in range(60))
    + "  f60(0..9 n): n\nvalues: {v: {is: 0..9, start: f0(0)}}\n"
    + PLAY,
    "doubling28": HEAD
    + "define:\n"
    + "".join(f"  f{i}(0..9 n): f{i + 1}(n) + f{i + 1}(n)\n" for i in range(27))
    + "  f27(0..1 n): n * 0\nvalues: {v: {is: 0..9, start: f0(0)}}\n"
    + PLAY,
    "doubling_effects": HEAD
    + "effects:\n"
    + "".join(f"  e{i}: \n      - e{i + 1}()\n      - e{i + 1}()\n" for i in range(40))
    + "  e40: {say: x}\nplay:\n  - e0()\n  - tie: players\n",
    "doubling_leaves": HEAD
    + "effects:\n"
    + "".join(f"  e{i}: \n      - e{i + 1}()\n      - e{i + 1}()\n" for i in range(40))
    + "  e40: {if: turn_number > 3, then: {end: turn}}\nplay:\n  - turns: players\n    until: turn_number > 9\n    do: e0()\n",
    "instead_blow": HEAD
    + "effects: {e: {say: x}}\ntriggers:\n"
    + "".join(f"  t{i}: {{instead: e, when: turn_number > {i}, do: [proceed(), proceed()]}}\n" for i in range(40))
    + "play:\n  - e()\n  - tie: players\n",
    "after_many": HEAD
    + "effects: {e: {say: x}}\ntriggers:\n"
    + "".join(f"  t{i}: {{after: e, do: {{say: x}}}}\n" for i in range(5000))
    + "play:\n"
    + "  - e()\n" * 200
    + "  - tie: players\n",
    "menu_many": HEAD
    + "actions:\n"
    + "".join(f"  a{i}: {{menu: m, anytime: turn, do: {{choose one: m}}}}\n" for i in range(60))
    + "play:\n  - choose one: m\n  - tie: players\n",
    "anytime_many": HEAD
    + "actions:\n"
    + "".join(f"  a{i}: {{anytime: turn, limit: 1 per turn, do: {{choose: {{n: 1..3}}}}}}\n" for i in range(60))
    + "play:\n  - turns: players\n    do:\n      - choose: {n: 1..3}\n      - tie: players\n",
    "options_many": HEAD + "options:\n" + "".join(f"  o{i}: {{is: bool}}\n" for i in range(3000)) + PLAY,
    "options_enum": HEAD + "options: {a: {is: [" + ",".join(f"m{i}" for i in range(50000)) + "]}}\n" + PLAY,
    "enum_big": HEAD + "types: {t: [" + ",".join(f"m{i}" for i in range(100000)) + "]}\n" + PLAY,
    "enum_sub": HEAD
    + "types:\n  t: ["
    + ",".join(f"m{i}" for i in range(20000))
    + "]\n"
    + "".join(f"  s{j}: {{some: t, where: this < m{j}}}\n" for j in range(300))
    + PLAY,
    "names_many": HEAD
    + "define:\n"
    + "".join(f"  formula_number_{i}: formula_numbr_{i + 1}\n" for i in range(8000))
    + PLAY,
    "calls_many": HEAD
    + "define:\n"
    + "".join(f"  formula_number_{i}: formula_numbr_{i + 1}(me)\n" for i in range(8000))
    + PLAY,
    "phrases_many": HEAD
    + "define:\n"
    + "".join(f"  formula_number_{i}: the formula of number {i} is large\n" for i in range(2000))
    + PLAY,
    "keys_many": HEAD + "".join(f"colour_{i}: 3\n" for i in range(100000)) + PLAY,
    "merge": HEAD + "".join(f"values_{i}: 3\n" for i in range(100)) + PLAY,
    "control": HEAD + 'title: "a\x1bb"\n' + PLAY,
    "bidi": HEAD + "title: a\u202eb\n" + PLAY,
    "nul": HEAD + "title: a\0b\n" + PLAY,
    "long_line": HEAD + "title: " + "x" * 1900000 + "\n" + PLAY,
    "long_expr": HEAD + "define:\n  a: " + "x" * 1900000 + "\n" + PLAY,
    "long_label": HEAD + "play:\n  - say: '" + "{1}" * 300000 + "'\n  - tie: players\n",
    "label_deep": HEAD + "play:\n  - say: '{" + "(" * 3000 + "}'\n  - tie: players\n",
    "type_deep": HEAD + "values: {a: " + "maybe " * 5000 + "0..3}\n" + PLAY,
    "list_of_list": HEAD + "values: {a: " + "list of " * 60 + "0..3" + " up to 9" * 60 + "}\n" + PLAY,
    "bits": HEAD + "board: {grid: {width: 100, height: 100}, space: c}\nvalues: {a: {is: set of c, per: c}}\n" + PLAY,
    "neighbors_all": HEAD
    + "board: {grid: {width: 130, height: 130}, space: c}\nvalues:\n  a:\n    is: 0..2000000000\n    start: count(x in board, y in board where distance(x, y) == 2)\n"
    + PLAY,
    "only_slow": HEAD
    + "board: {grid: {width: 130, height: 130}, space: c, only: 'count(n in 1..2000000000 where n > this.x) > 3'}\n"
    + PLAY,
    "start_slow": HEAD
    + "board: {grid: {width: 130, height: 130}, space: c}\npieces: {a: {start: 'count(n in 1..200000 where n > this.x) > 3'}}\n"
    + PLAY,
    "unicode_digits": HEAD.replace("players: 2", "players: ²") + PLAY,
    "leaps": HEAD
    + "board: {grid: {width: 100, height: 100}, space: c}\ndefine:\n  a(c x): leaps(x, 1000000000, 2)\n"
    + PLAY,
    "step_far": HEAD
    + "board: {grid: {width: 100, height: 100}, space: c}\ndefine:\n  a(c x): step(x, n, 1000000000)\n"
    + PLAY,
    "line_far": HEAD
    + "board: {grid: {width: 100, height: 100}, space: c}\ndefine:\n  a(c x): line(x, 1000000000, of=me)\n"
    + PLAY,
    "modules_many": HEAD
    + "options: {o: {is: bool, start: true}}\nmodules:\n"
    + "".join(f"  m{i}: {{when: o, define: {{f{i}: 3}}}}\n" for i in range(3000))
    + PLAY,
    "presets_many": HEAD
    + "options: {o: {is: 0..9, start: 1}}\npresets:\n"
    + "".join(f"  m{i}: {{o: {i % 10}}}\n" for i in range(20000))
    + PLAY,
    "tables_by": HEAD
    + "values: {a: {is: 0..1, per: [player, player, player, player, player, player, player, player, player, player, player, player, player, player, player, player, player, player]}}\n"
    + PLAY,
    "fork_code": HEAD
    + "types:\n  s:\n    attributes: {e: effect}\n    values:\n"
    + "".join(f"      v{i}: {{e: {{say: x}}}}\n" for i in range(2000))
    + "play:\n"
    + "  - for: {x: s}\n    do: x.e()\n" * 30
    + "  - tie: players\n",
}

CHECKER = """
import json, resource, sys, time
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (%d, %d))
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.render import render
for line in iter(sys.stdin.readline, ""):
    path = line.removesuffix("\\n")
    start = time.monotonic()
    try:
        report = pipeline.check(Path(path))
        said = [render(found) for found in report.sorted()]
        answer = {"errors": report.errors, "codes": [found.code for found in report.sorted()], "said": said[:2]}
    except BaseException as crash:
        answer = {"crash": f"{type(crash).__name__}: {crash}"[:300]}
    print(json.dumps({"path": path, "seconds": time.monotonic() - start, **answer}), flush=True)
""" % (MEMORY, MEMORY)


def write_folders(folder: Path) -> dict[str, Path]:
    """Games whose files are not what they seem."""
    secret = folder / "secret.csv"
    secret.write_text("name,worth\nhush_hush,1\n", encoding="utf-8")
    made: dict[str, Path] = {}

    def game(name: str, text: str, **files: str) -> Path:
        inside = folder / name
        inside.mkdir()
        (inside / "game.yaml").write_text(text, encoding="utf-8")
        for file, content in files.items():
            (inside / f"{file}.yaml").write_text(content, encoding="utf-8")
        made[name] = inside
        return inside

    card = "pieces:\n  card: {from: %s, attributes: {worth: 0..9}}\n"
    game(
        "cyclic_includes",
        HEAD + "include: [a.yaml]\n" + PLAY,
        a="include: [b.yaml]\n",
        b="include: [a.yaml, game.yaml]\n",
    )
    game("includes_itself", HEAD + "include: [game.yaml, ./game.yaml]\n" + PLAY)
    game("include_outside", HEAD + "include: [../other.yaml, /etc/passwd, ~/x.yaml]\n" + PLAY)
    game("table_outside", HEAD + card % "../secret.csv" + PLAY)
    game("table_absolute", HEAD + card % "/etc/passwd" + PLAY)
    linked = game("link_outside", HEAD + card % "cards.csv" + PLAY)
    (linked / "cards.csv").symlink_to(secret)
    linked = game("link_to_itself", HEAD + card % "cards.csv" + PLAY)
    (linked / "cards.csv").symlink_to(linked / "cards.csv")
    linked = game("link_to_folder", HEAD + "include: [up/secret.yaml]\n" + PLAY)
    (linked / "up").symlink_to(folder)
    linked = game("device", HEAD + card % "cards.csv" + PLAY)
    (linked / "cards.csv").symlink_to("/dev/zero")
    if hasattr(os, "mkfifo"):
        os.mkfifo(game("pipe", HEAD + card % "cards.csv" + PLAY) / "cards.csv")
    large = game("large_table", HEAD + card % "cards.csv" + PLAY) / "cards.csv"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    huge = folder / "huge.yaml"
    with huge.open("wb") as file:
        file.write(HEAD.encode())
        file.truncate(100_000_000)
    made["huge"] = huge
    binary = folder / "binary.yaml"
    binary.write_bytes(bytes(range(256)) * 1_000)
    made["binary"] = binary
    return made


class Checker:
    """A process with little memory that checks one file after the other; each is asked for once."""

    def __init__(self, folder: Path) -> None:
        self.paths = {name: folder / f"{name}.yaml" for name in FILES}
        for name, path in self.paths.items():
            path.write_text(FILES[name], encoding="utf-8", newline="")
        self.paths |= write_folders(folder)
        self.known: dict[str, dict[str, object]] = {}
        self.process: subprocess.Popen[str] | None = None

    def answer(self, name: str) -> dict[str, object]:
        if name not in self.known:
            self.known[name] = self._asked(self.paths[name])
        return self.known[name]

    def _asked(self, path: Path) -> dict[str, object]:
        """What is said of a file; a process that hangs or ends is given up, and the next file gets a new one."""
        process = self.process = self.process or _started()
        assert process.stdin is not None
        assert process.stdout is not None
        guard = Timer(HANGS, process.kill)
        guard.start()
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        line = process.stdout.readline()
        guard.cancel()
        if line:
            return dict(json.loads(line))
        self.end()
        return {"crash": f"the process has ended: {process.returncode}"}

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def _started() -> subprocess.Popen[str]:
    command, root = [sys.executable, "-c", CHECKER], Path(__file__).parent.parent
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checker]:
    made = Checker(tmp_path_factory.mktemp("hostile"))
    yield made
    made.end()


FOLDERS = {
    "cyclic_includes": "N201", "includes_itself": "N201", "include_outside": "Y006", "table_outside": "Y006", "table_absolute": "Y006",
    "link_outside": "Y006", "link_to_itself": "", "link_to_folder": "", "device": "Y006", "pipe": "Y001", "large_table": "Y002",
    "huge": "Y002", "binary": "",
}  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="memory cannot be limited there")
@pytest.mark.parametrize("name", [*FILES, *FOLDERS])
def test_a_hostile_file_is_answered(name: str, checker: Checker) -> None:
    if name not in checker.paths:
        pytest.skip("this machine has no pipes")
    answer = checker.answer(name)
    assert "crash" not in answer, answer
    assert float(str(answer["seconds"])) < SECONDS, answer
    assert all(len(str(text)) < 10_000 and "\x1b" not in str(text) for text in answer["said"]), answer  # type: ignore[attr-defined]
    if name in FOLDERS:
        assert answer["errors"], answer
        assert FOLDERS[name] in str(answer["codes"]), answer


def test_what_is_read_from_outside_is_never_shown(checker: Checker) -> None:
    for name in FOLDERS:
        said = str(checker.answer(name)["said"]) if name in checker.paths else ""
        assert "hush_hush" not in said, name
        assert "root:" not in said, name


def lead_out(folder: Path) -> dict[str, Path]:
    """Each kind of file that a game can have, as a link to a file outside of its folder."""
    secret = folder / "secret.yaml"
    secret.write_text("hush_hush: 1\n", encoding="utf-8")
    (folder / "secret.csv").write_text("hush_hush\n", encoding="utf-8")
    test = "tests: [{test: a, moves: [], expect: [turn_number == 0]}]\n"
    kinds: dict[str, tuple[str, dict[str, str]]] = {
        "game.yaml": ("", {}),
        "part.yaml": (HEAD + "include: [part.yaml]\n" + PLAY, {}),
        "cards.csv": (HEAD + "pieces: {card: {from: cards.csv}}\n" + PLAY, {}),
        "cards.yaml": (HEAD + "pieces: {card: {from: cards.yaml#a}}\n" + PLAY, {}),
        "tests/all.yaml": (HEAD + PLAY, {}),
        "position.yaml": (HEAD + PLAY, {"tests/a.yaml": test.replace("test: a", "test: a, from: ../position.yaml")}),
    }
    made = {}
    for number, (link, (text, others)) in enumerate(kinds.items()):
        inside = folder / f"game{number}"
        (inside / "tests").mkdir(parents=True)
        if text:
            (inside / "game.yaml").write_text(text, encoding="utf-8")
        for name, content in others.items():
            (inside / name).write_text(content, encoding="utf-8")
        (inside / link).symlink_to(secret.with_suffix(Path(link).suffix))
        made[link] = inside
    alone = folder / "alone"
    alone.mkdir()
    (alone / "x.yaml").write_text(HEAD + PLAY, encoding="utf-8")
    (alone / "x.test.yaml").symlink_to(secret)
    made["x.test.yaml"] = alone / "x.yaml"
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
def test_no_file_of_a_game_is_a_link_out_of_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for link, game in lead_out(tmp_path).items():
        assert 1 in (main(["check", str(game)]), main(["test", str(game)])), link
        said = capsys.readouterr()
        assert "Y006" in said.out + said.err, (link, said)
        assert "is outside the folder of the game" in said.out + said.err, link
        assert "hush_hush" not in said.out + said.err, link
