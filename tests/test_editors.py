"""What editors are given: grammars have the words of the language, and the client works without an editor."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from zipfile import ZipFile

import pytest

from games import ROOT
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.functions import BUILTINS
from ruledsl.manual import NAMES_ALWAYS
from ruledsl.workbench.complete import _WORDS

FOLDER = ROOT / "editors" / "vscode"
LISTS: dict[tuple[str, str], Collection[str]] = {
    ("ruledsl.tmLanguage.json", "keyword.control.ruledsl"): STATEMENTS,
    ("expressions.tmLanguage.json", "support.function.ruledsl"): BUILTINS,
    ("expressions.tmLanguage.json", "variable.language.ruledsl"): {*NAMES_ALWAYS, "players", "round", "supply"},
    ("expressions.tmLanguage.json", "keyword.operator.word.ruledsl"): {*_WORDS} - {"none", "true", "false"},
}


@pytest.mark.parametrize("name", sorted({name for name, _ in LISTS}))
def test_grammars_have_the_words_of_the_language(name: str, golden: Callable[[str, Path], None]) -> None:
    text = (FOLDER / "syntaxes" / name).read_text(encoding="utf-8")
    json.loads(text)
    for (file, scope), words in LISTS.items():
        if file == name:
            line = next(line for line in text.splitlines() if scope in line and "match" in line)
            listed = "|".join(sorted(words))
            text = text.replace(line, re.sub(r"\((?!\?)[^()]+\)", f"({listed})", line, count=1))
    golden(text, FOLDER / "syntaxes" / name)


def test_what_the_package_names_is_there() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    named = [package["main"], *(one["path"] for one in contributes["grammars"])]
    named += [one["configuration"] for one in contributes["languages"]]
    assert [name for name in named if not (FOLDER / name).is_file()] == []
    assert re.match(contributes["languages"][0]["firstLine"], "ruledsl: 1")
    assert package["version"] == re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.M)[1]  # type: ignore[index]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_client_without_an_editor() -> None:
    pytest.importorskip("pygls")
    command = json.dumps([sys.executable, "-m", "ruledsl", "lsp"])
    environment = {**os.environ, "RULEDSL": command, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["node", "--test", "test/"], cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
def test_what_vscode_makes_of_the_grammars(tmp_path: Path) -> None:
    """With the engine of VS Code, which npm gets, over all files of games."""
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    wanted = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    engine = [f"{name}@{version}" for name, version in wanted.items() if name.startswith("vscode-")]
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *engine]
    if subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=240).returncode:
        pytest.skip("npm cannot get the engine here")
    games = [str(path) for folder in ("games", "examples") for path in (ROOT / folder).rglob("*.yaml")]
    environment = {**os.environ, "NODE_PATH": str(tmp_path / "node_modules"), "GAMES": os.pathsep.join(games)}
    test = ["node", "--test", "--test-reporter=tap", "test/tokens.test.js"]
    done = subprocess.run(test, cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# skipped 0" in done.stdout


@pytest.mark.long
@pytest.mark.skipif(shutil.which("npx") is None, reason="there is no npx here")
def test_the_package_that_vscode_installs(tmp_path: Path) -> None:
    """Made with vsce, which needs the network; it has all that the extension names, and no tests."""
    made = tmp_path / "ruledsl.vsix"
    command = ["npx", "--yes", "@vscode/vsce@3", "package", "--no-dependencies", "--allow-missing-repository"]
    done = subprocess.run([*command, "-o", str(made)], cwd=FOLDER, capture_output=True, text=True, timeout=240)
    if "registry" in done.stderr and done.returncode:
        pytest.skip("vsce cannot be got here")
    assert done.returncode == 0, done.stdout + done.stderr
    with ZipFile(made) as packed:
        names = set(packed.namelist())
    wanted = [path for path in FOLDER.rglob("*") if path.is_file() and "test" not in path.parts]
    known = {name.removeprefix("extension/").lower().removesuffix(".txt") for name in names}
    files = [str(path.relative_to(FOLDER)) for path in wanted if not path.name.startswith(".")]
    assert [name for name in files if name.lower() not in known] == []
    assert [name for name in names if "test" in name] == []
