"""What the command line says, whole, and what it returns."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from xml.etree import ElementTree

import pytest

from games import EXAMPLES
from ruledsl.cli import common, main
from ruledsl.cli.commands.new import ALSO
from ruledsl.cli.main import commands
from ruledsl.generate.passes import passes

ROOT = Path(__file__).resolve().parents[1]
GOOD = """\
ruledsl: 1
game: pebbles
players: [left, right]
options:
  size: {is: 2..5, start: 3}
board: {grid: {width: size, height: 2}, space: field}
pieces:
  pebble: {per: player, count: 5}
play:
  - turns: players
    do:
      - choose: {f: board where empty(f)}
        else: {tie: players}
      - move: pebble
        to: f
"""
BAD = GOOD.replace("empty(f)", "emty(f)").replace("pieces:", "peices:")

Run = Callable[..., SimpleNamespace]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command line in an empty folder: its exit code, what it wrote and what it complained."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("RULEDSL_DEBUG", raising=False)

    def line(*words: str) -> SimpleNamespace:
        code = main.main(list(words))
        said = capsys.readouterr()
        return SimpleNamespace(code=code, out=said.out, err=said.err)

    return line


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


# ------------------------------------------------------------------------------------------------ finding commands


def test_alone_it_gives_an_overview(run: Run) -> None:
    said = run()
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("ruledsl: write board games as YAML; check, play and test them.\n\nusage: ")
    for name, does in commands().items():
        assert f"  {name}" in said.out
        assert does in said.out
    assert said.out == run("--help").out == run("help").out


def test_every_command_has_help_and_a_line_about_itself(run: Run) -> None:
    assert {"check", "explain", "schema", "new", "dump", "draw"} <= set(commands())
    for name, does in commands().items():
        assert does.endswith("."), name
        said = run(name, "--help")
        assert said.code == 0, name
        assert said.out.startswith(f"usage: ruledsl {name} "), name
        assert does.split()[0] in said.out, name


def test_help_of_a_command_by_its_name(run: Run) -> None:
    assert run("help", "check").out == run("check", "--help").out


def test_the_version(run: Run) -> None:
    said = run("--version")
    assert said.code == 0
    assert said.out == f"ruledsl {main.version()}\n"
    assert said.out.split()[1][0].isdigit()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chekc"], "ruledsl: there is no command `chekc`; did you mean `check`?\n"),
        (["xyzzy"], "ruledsl: there is no command `xyzzy`; `ruledsl --help` lists the commands\n"),
        (["--verson"], "ruledsl: there is no option `--verson`; `ruledsl --help` lists the commands\n"),
    ],
)
def test_an_unknown_command(run: Run, words: list[str], complaint: str) -> None:
    said = run(*words)
    assert (said.code, said.out, said.err) == (2, "", complaint)


def test_a_wrong_argument_is_usage(run: Run) -> None:
    said = run("check", "--format", "xml", "a.yaml")
    assert (said.code, said.out) == (2, "")
    # How the choices are quoted differs between versions of Python.
    assert said.err.splitlines()[-1].startswith(
        "ruledsl check: error: argument --format: invalid choice: 'xml' (choose from "
    )


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("new shells --template tilse", "`tiles`"),
        ("check --format jsn a.yaml", "`json`"),
        ("completion zhs", "`zsh`"),
        ("simulate chess --player 2 --sed 1", "`--seed`"),
        ("new shells --templat hexx", ""),
    ],
)
def test_what_is_nearly_a_choice_is_told(run: Run, words: str, meant: str) -> None:
    said = run(*words.split())
    assert said.code == 2
    assert said.err.rstrip().endswith(f"did you mean {meant}?") == (meant != "")


# ----------------------------------------------------------------------------------------------------------- check


def test_a_sound_game(run: Run) -> None:
    write("pebbles.yaml", GOOD)
    said = run("check", "pebbles.yaml")
    assert (said.code, said.out, said.err) == (0, "1 game checked, 0 errors, 0 warnings\n", "")


def test_mistakes_are_shown_with_their_lines(run: Run) -> None:
    write("pebbles.yaml", BAD)
    said = run("check", "pebbles.yaml")
    assert said.code == 1
    assert said.err == ""
    assert said.out.startswith("""\
error[S101]: a game has no key `peices`
 --> pebbles.yaml:7:1
  |
7 | peices:
  | ^^^^^^
help: did you mean `pieces`?

""")
    assert "1 game checked, " in said.out.splitlines()[-1]


def test_json_is_all_findings_and_nothing_else(run: Run) -> None:
    write("a.yaml", GOOD)
    write("b.yaml", BAD)
    said = run("check", "--format", "json", "a.yaml", "b.yaml")
    assert said.code == 1
    found = json.loads(said.out)
    assert list(found) == ["diagnostics", "errors", "warnings", "menus"]
    assert found["errors"] == len([d for d in found["diagnostics"] if d["severity"] == "error"])
    assert found["diagnostics"][0] == {
        "file": "b.yaml",
        "line": 7,
        "column": 1,
        "end_line": 7,
        "end_column": 7,
        "severity": "error",
        "code": "S101",
        "message": "a game has no key `peices`",
        "help": "did you mean `pieces`?",
        "suggestions": ["pieces"],
        "edits": [{"file": "b.yaml", "line": 7, "column": 1, "end_line": 7, "end_column": 7, "text": "pieces"}],
        "again": [],
    }


def test_json_of_a_sound_game(run: Run) -> None:
    write("a.yaml", GOOD)
    assert json.loads(run("check", "a.yaml", "--format", "json").out) == {
        "diagnostics": [],
        "errors": 0,
        "warnings": 0,
        "menus": [{"file": "a.yaml", "line": 12, "options": 10}],
    }


def test_github_annotations(run: Run) -> None:
    write("b.yaml", BAD)
    said = run("check", "--format", "github", "b.yaml")
    assert said.code == 1
    assert said.out.splitlines()[0] == (
        "::error file=b.yaml,line=7,col=1,endLine=7,endColumn=7,title=S101%3A%3Aa game has no key `peices`"
        "::a game has no key `peices`%0Adid you mean `pieces`?"
    )


def test_folders_patterns_and_names_mean_games(run: Run) -> None:
    write("shelf/hill/game.yaml", GOOD)
    write("shelf/hill/cards.yaml", "- {name: a}\n")
    write("shelf/hill/tests/first.yaml", "tests: []\n")
    write("shelf/pebbles.yaml", GOOD)
    write("shelf/pebbles.test.yaml", "tests: []\n")
    write("shelf/table.yaml", "- {name: a}\n")
    write("shelf/.draft.yaml", BAD)
    write("shelf/deep/er/pebbles.yml", GOOD)

    def checked(*words: str) -> str:
        return str(run("check", *words).out.splitlines()[-1].split(" checked")[0])

    assert checked("shelf/hill") == "1 game"
    assert checked("shelf") == "3 games"
    assert checked(".") == "3 games"
    assert checked("shelf", "shelf/hill", "./shelf/hill/game.yaml") == "3 games"
    assert checked("shelf/*.yaml") == "1 game"
    assert checked("shelf/**/*.y*ml") == "3 games"
    assert checked("tic-tac-toe") == "1 game"


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("pebles.yaml", "ruledsl: there is no file `pebles.yaml`; did you mean `pebbles.yaml`?\n"),
        (
            "empty",
            "ruledsl: there is no game in the folder `empty`; a game is a folder with `game.yaml`, or a file"
            " with `ruledsl:` in it\n",
        ),
        (
            "q*.yaml",
            "ruledsl: no game matches the pattern `q*.yaml`; a game is a folder with `game.yaml`, or a file"
            " with `ruledsl:` in it\n",
        ),
    ],
)
def test_what_is_not_there(run: Run, word: str, complaint: str) -> None:
    write("pebbles.yaml", GOOD)
    Path("empty").mkdir()
    said = run("check", word)
    assert (said.code, said.out, said.err) == (2, "", complaint)


def test_a_wrong_name_is_told_which_games_there_are(run: Run) -> None:
    said = run("check", "tic-tak-toe")
    first, second = said.err.splitlines()
    assert first == "ruledsl: there is no game and no file called `tic-tak-toe`; did you mean `tic-tac-toe`?"
    assert second.startswith("games that come with ruledsl: ")
    assert said.code == 2


def test_warnings_are_mistakes_only_if_strict(run: Run) -> None:
    write("pebbles.yaml", GOOD + "values:\n  spare: 0..3\n")
    said = run("check", "pebbles.yaml")
    assert said.out.splitlines()[-1] == "1 game checked, 0 errors, 1 warning"
    assert said.code == 0
    assert run("check", "--strict", "pebbles.yaml").code == 1


# ------------------------------------------------------------------------------------------------ explain


def test_explain_shows_a_wrong_and_a_right_example(run: Run) -> None:
    said = run("explain", "y204")
    assert (said.code, said.err) == (0, "")
    assert (
        said.out
        == """\
Y204: a tag

Tags such as `!name` have no meaning in game files.

Wrong:

    when: !done

Right:

    when: not done
"""
    )


def test_explain_alone_lists_all_codes(run: Run) -> None:
    from ruledsl.diagnostics.codes import CODES

    lines = run("explain").out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(CODES)
    assert "Y001  a file cannot be read" in lines


def test_an_unknown_code_is_told_its_neighbours(run: Run) -> None:
    said = run("explain", "Y31")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("ruledsl: there is no code `Y31`; did you mean `Y301`")


# ------------------------------------------------------------------------------------------------ new


def test_a_new_game_checks_has_tests_and_plays(run: Run) -> None:
    said = run("new", "my-game")
    assert (said.code, said.err) == (0, "")
    assert (
        said.out
        == """\
my-game has a game with tests. What you can do next:

  ruledsl check my-game   finds its mistakes
  ruledsl play  my-game   plays it
  ruledsl test  my-game   runs its tests
"""
    )
    files = sorted(path.relative_to("my-game").as_posix() for path in Path("my-game").rglob("*") if path.is_file())
    assert [file for file in files if not file.startswith("schemas/")] == ["README.md", "game.yaml", "tests/steps.yaml"]
    for file in ("game.yaml", "tests/steps.yaml"):
        path = Path("my-game", file)
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema=")
        assert (path.parent / first.partition("=")[2]).is_file()
    assert run("check", "my-game").out == "1 game checked, 0 errors, 0 warnings\n"
    assert "TITLE" not in Path("my-game/README.md").read_text(encoding="utf-8")
    if "test" in commands():
        assert run("test", "my-game").code == 0

    import ruledsl

    play = ruledsl.load("my-game").start()
    while not play.over:
        play.choose(0)
    assert play.ending == "won"
    assert play.game.title("ru") == "My game"


@pytest.mark.parametrize("template", ["cards", "grid", "tiles", "together", "workers"])
def test_every_template_checks_is_tested_and_plays_in_both_languages(run: Run, template: str) -> None:
    assert run("new", "--help").out.count(template) > 0
    assert run("new", "my-game", "--template", template).code == 0
    assert run("check", "my-game", "--strict").out == "1 game checked, 0 errors, 0 warnings\n"
    assert run("test", "my-game").out.endswith("3 passed, 0 failed\n")
    assert run("fmt", "my-game", "--check").code == 0
    assert "my-game" not in run("describe", "my-game", "--lang", "ru").err
    texts = [path.read_text(encoding="utf-8") for path in Path("my-game").rglob("*.yaml")]
    assert [word for text in texts for word in ("TITLE", "NAME") if word in text] == []


def test_a_template_has_the_names_that_one_tries_first(run: Run) -> None:
    for also, template in ALSO.items():
        assert run("new", f"my-{also}", "--template", also).code == 0
        assert run("new", f"your-{also}", "--template", template).code == 0
        mine, yours = (Path(f"{whose}-{also}/game.yaml").read_text(encoding="utf-8") for whose in ("my", "your"))
        assert mine.replace("my-", "your-").replace("My ", "Your ") == yours


def test_new_never_overwrites(run: Run) -> None:
    write("my-game/game.yaml", "mine")
    said = run("new", "my-game")
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        "ruledsl: `my-game` already has a `game.yaml`; nothing was written. Choose another name or `--folder`\n"
    )
    assert [path.name for path in Path("my-game").iterdir()] == ["game.yaml"]
    assert Path("my-game/game.yaml").read_text() == "mine"
    write("file", "")
    assert run("new", "my-game", "--folder", "file").err == "ruledsl: `file` already exists and is not a folder\n"
    assert run("new", "my-game", "--folder", "elsewhere/here").code == 0
    assert Path("elsewhere/here/game.yaml").is_file()


@pytest.mark.parametrize(
    ("name", "advice"),
    [("My Game", "; how about `my-game`?"), ("7th", "; how about `th`?"), ("игра", ""), ("a_b", "; how about `a-b`?")],
)
def test_new_refuses_odd_names(run: Run, name: str, advice: str) -> None:
    said = run("new", name)
    assert said.code == 2
    assert said.err == (
        f"ruledsl: a game cannot be called `{name}`: use lower-case letters and digits, with hyphens between"
        f" words{advice}\n"
    )
    assert not list(Path().iterdir())


# ------------------------------------------------------------------------------------------------ draw


def test_draw_shows_the_start_on_the_terminal(run: Run) -> None:
    write("pebbles.yaml", GOOD.replace("count: 5", "count: 2, start: {left: this.x == 1, right: this.x == 3}"))
    said = run("draw", "pebbles.yaml")
    assert (said.code, said.err) == (0, "")
    assert (
        said.out
        == """\
2 L . R
1 L . R
  a b c
"""
    )


def test_draw_writes_svg(run: Run) -> None:
    write("pebbles.yaml", GOOD)
    said = run("draw", "pebbles.yaml", "--option", "size=4", "-o", "board.svg")
    assert (said.code, said.out) == (0, "board.svg\n")
    picture = ElementTree.parse("board.svg").getroot()
    assert len(picture.findall(".//{*}polygon")) == 8
    assert run("draw", "pebbles.yaml", "--option", "size=4", "-o", "-").out == Path("board.svg").read_text("utf-8")


def test_several_boards_go_to_several_files(run: Run) -> None:
    head, _, rest = GOOD.partition("board: {")
    write("pebbles.yaml", head + "boards:\n  yard: {per: player, " + rest.replace("{f: board", "{f: me.yard"))
    said = run("draw", "pebbles.yaml", "-o", "out.svg")
    assert (said.code, said.out) == (0, "out-yard-left.svg\nout-yard-right.svg\n")
    assert "<title>pebbles: yard: right</title>" in Path("out-yard-right.svg").read_text("utf-8")
    assert run("draw", "pebbles.yaml", "-o", "-").err == (
        "ruledsl: 2 boards do not fit into one picture; choose one with `--board`\n"
    )
    assert run("draw", "pebbles.yaml").out.splitlines()[0] == "yard: left"


def test_draw_of_a_save_hides_nothing_that_lies_open(run: Run) -> None:
    import ruledsl

    write("pebbles.yaml", GOOD)
    play = ruledsl.load("pebbles.yaml").start()
    play.choose("b2")
    Path("play.save").write_bytes(play.save())
    assert run("draw", "pebbles.yaml", "--from", "play.save").out == "2 . L .\n1 . . .\n  a b c\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--board", "bord"], "ruledsl: pebbles has no board `bord`; did you mean `board`?\n"),
        (["--from", "none.save"], "ruledsl: cannot use `none.save`: no such file or directory\n"),
        (
            ["--from", "pebbles.yaml"],
            "ruledsl: pebbles.yaml: this is not a save of a play: it cannot be read as JSON\n",
        ),
        (["--option", "sise=3"], "ruledsl: pebbles has no option `sise`; did you mean `size`?\n"),
        (["--option", "size=9"], "ruledsl: `size` is a number from 2 to 5, not 9\n"),
        (["--players", "3"], "ruledsl: pebbles is for 2 players, not 3\n"),
        (["--preset", "x"], "ruledsl: there is no preset `x`\n"),
        (["-o", "no/such/folder.svg"], "ruledsl: there is no folder `no/such` to write `folder.svg` in\n"),
    ],
)
def test_wrong_settings_are_explained(run: Run, words: list[str], complaint: str) -> None:
    write("pebbles.yaml", GOOD)
    said = run("draw", "pebbles.yaml", *words)
    assert (said.code, said.out, said.err) == (2, "", complaint)


@pytest.mark.parametrize("text", ["size", "=3"])
def test_an_option_has_a_name_and_a_value(run: Run, text: str) -> None:
    write("pebbles.yaml", GOOD)
    said = run("draw", "pebbles.yaml", "--option", text)
    assert said.code == 2
    assert said.err.splitlines()[-1] == (
        f"ruledsl draw: error: argument --option: write an option as `name=value`, not `{text}`"
    )


def test_a_broken_game_cannot_be_drawn(run: Run) -> None:
    write("pebbles.yaml", BAD)
    said = run("draw", "pebbles.yaml")
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("error[S101]: a game has no key `peices`\n --> pebbles.yaml:7:1\n")
    assert said.err.endswith("ruledsl: fix these errors first\n")


# ------------------------------------------------------------------------------------------------ dump


STAGES = ("document", "declarations", "board", "types", "layout", "ir", "python", "c")


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_shown_for_every_example(run: Run, stage: str, thorough: bool) -> None:
    """Daily each stage for some examples, and each example in one stage."""
    some = EXAMPLES if thorough else EXAMPLES[STAGES.index(stage) :: len(STAGES)]
    for path in some:
        said = run("dump", str(path), "--stage", stage)
        assert (said.code, said.err) == (0, ""), path
        assert len(said.out.splitlines()) > 1 or said.out == "no board\n", path
        assert " object at 0x" not in said.out, path


def test_dump_shows_code_without_a_pass(run: Run) -> None:
    path = str(ROOT / "examples/connect-four.yaml")
    whole = run("dump", path, "--stage", "c")
    said = run("dump", path, "--stage", "c", "--without", "picks-from-counts", "--without", "kept-sets")
    assert said.code == 0
    for fragment in ("num pick_", "s->kept0"):
        assert fragment in whole.out
        assert fragment not in said.out


def test_the_help_of_dump_says_what_each_pass_does(run: Run) -> None:
    said = " ".join(run("dump", "--help").out.split())
    for one in passes():
        assert f" {one.label} {one.does} ({', '.join(one.languages)})" in said


@pytest.mark.parametrize(
    ("stage", "name", "told"),
    [
        ("c", "kept-set", "there is no pass `kept-set`; did you mean `kept-sets`?"),
        ("c", "speed", "there is no pass `speed`; there are `kept-sets`, `shifted-sets`, "),
        ("python", "memos", "`memos` is no pass of `python`, but of `c`"),
        ("ir", "memos", "`--without` needs generated code: use it with `--stage python`, `plays` or `c`"),
        ("plays", "memos", "`memos` is no pass of `plays`, but of `c`"),
    ],
)
def test_dump_tells_which_passes_there_are(run: Run, stage: str, name: str, told: str) -> None:
    said = run("dump", str(ROOT / "examples/hex.yaml"), "--stage", stage, "--without", name)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_dump_shows_how_expressions_were_read(run: Run) -> None:
    write("pebbles.yaml", GOOD + "define:\n  odd(field f): f.x + f.y * 2 % 2 == 1 and not empty(f)\n")
    said = run("dump", "pebbles.yaml", "--stage", "declarations")
    assert "  odd(field f)  # pebbles.yaml:17\n" in said.out
    write("pebbles.yaml", GOOD.replace("empty(f)}", "odd(f)}") + "define:\n  odd(field f): f.x + f.y * 2 % 2 == 1\n")
    said = run("dump", "pebbles.yaml", "--stage", "declarations")
    assert "  odd(field f)  # pebbles.yaml:17\n     17  ((f.x + ((f.y * 2) % 2)) == 1)\n" in said.out


def test_dump_follows_the_options(run: Run) -> None:
    write("pebbles.yaml", GOOD)
    said = run("dump", "pebbles.yaml", "--stage", "board", "--option", "size=2")
    assert (
        said.out
        == """\
board: grid, 4 spaces called field
  directions: n, ne, e, se, s, sw, w, nw
  a1  x=1 y=1  n→a2 ne→b2 e→b1
  b1  x=2 y=1  n→b2 w→a1 nw→a2
  a2  x=1 y=2  e→b2 se→b1 s→a1
  b2  x=2 y=2  s→b1 sw→a1 w→a2
"""
    )


def test_the_program_as_text(run: Run) -> None:
    write("pebbles.yaml", GOOD)
    said = run("dump", "pebbles.yaml")
    assert "choose '' by me, else " in said.out
    assert "f = f in 63 where not occupied(f)" in said.out
    assert "end tied: 3" in said.out


# ------------------------------------------------------------------------------------------------ manners


def test_errors_of_our_own_are_one_line_with_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ruledsl.compiler import pipeline

    def broken(*_: object, **__: object) -> None:
        raise ValueError("out of\ncheese")

    monkeypatch.setattr(pipeline, "check", broken)
    write("my pebbles.yaml", GOOD)
    said = run("check", "my pebbles.yaml")
    line = (
        "ruledsl: a bug in ruledsl (ValueError: out of cheese); please report it with this command: "
        "ruledsl check 'my pebbles.yaml'\n"
    )
    assert (said.code, said.out, said.err) == (2, "", line)
    monkeypatch.setenv("RULEDSL_DEBUG", "1")
    said = run("check", "my pebbles.yaml")
    assert said.err.startswith("Traceback ")
    assert said.err.endswith(line)


def test_an_interrupt_is_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from ruledsl.compiler import pipeline

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "check", interrupted)
    write("pebbles.yaml", GOOD)
    said = run("check", "pebbles.yaml")
    assert (said.code, said.out, said.err) == (130, "", "ruledsl: stopped while working\n")


def ruledsl(*words: str, **settings: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(  # type: ignore[call-overload]
        [sys.executable, "-m", "ruledsl", *words], text=True, encoding="utf-8", env=environment, **settings
    )


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently there")
def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as gone:
        done = ruledsl("explain", stdout=gone, stderr=subprocess.PIPE)
    assert done.stderr == ""
    assert done.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w") as full:
        done = ruledsl("explain", "Y001", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, "ruledsl: cannot write: no space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes streams")
def test_closed_streams_are_no_error() -> None:
    command = f"'{sys.executable}' -m ruledsl explain Y001 >&- 2>&-"
    assert subprocess.run(command, shell=True, cwd=ROOT).returncode == 0


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = "('lark', 'yaml', 'networkx', 'jsonschema')"
    code = f"import sys, ruledsl.cli.main; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_colour_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert common.use_colour(Terminal())
    assert not common.use_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not common.use_colour(Terminal())
    monkeypatch.setenv("NO_COLOR", "")
    assert common.use_colour(Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert not common.use_colour(Terminal())


def test_the_public_names_are_there() -> None:
    import ruledsl as package

    assert isinstance(package, ModuleType)
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'lod'"):
        package.lod  # noqa: B018


def test_tests_that_the_shell_names_among_games_are_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).resolve().parent.parent / "examples"
    names = [str(folder / name) for name in ("tic-tac-toe.yaml", "tic-tac-toe.test.yaml")]
    assert main.main(["check", *names]) == 0
    assert capsys.readouterr().out == "1 game checked, 0 errors, 0 warnings\n"


def test_all_that_is_offered_is_listed_after_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["offered", "tic-tac-toe", "--after", "a1", "--after", "b2"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 7
    assert said[0] == "place at b1"
    assert main.main(["offered", "tic-tac-toe", "--after", "a1", "--after", "a1"]) == 1
    assert "`a1` is not offered" in capsys.readouterr().err
    assert main.main(["offered", "tic-tac-toe", "--seat", "nought"]) == 2
    assert "it is not the turn of `nought` to choose" in capsys.readouterr().err
