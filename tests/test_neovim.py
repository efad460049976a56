"""Neovim, as docs/workbench.md has it, against `ruledsl lsp`: findings, completion and columns reach the editor."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from games import ROOT

GAME = """\
ruledsl: 1
game: nuts
players: [hermit, squirrel]
values:
  acorns: {is: 0..9, start: 5}
play:
  - turns: players
    do:
      - choose:
          n: 1..min(3, acorns)
        label: 'взять 🌰 {wrong}'
        else: {end: game}
      - subtract: {acorns: n}
"""
LUA = """\
vim.cmd("edit " .. vim.env.GAME)
local told = {}
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, one in ipairs(vim.diagnostic.get(0)) do
  told[#told + 1] = { one.lnum, one.col, one.code or "" }
end
local at = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 12, character = 23 } }
local offered = {}
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/completion", at, 60000) or {}) do
  for _, item in ipairs((answer.result or {}).items or {}) do offered[#offered + 1] = item.label end
end
io.stdout:write("\\n@@" .. vim.fn.json_encode({ told = told, offered = offered }) .. "@@\\n")
vim.cmd("qall!")
"""


def version_of(program: str) -> tuple[int, int]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60).stdout
    found = re.search(r"v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def notes(begin: str) -> str:
    """What is to be written into `init.lua`, by the page."""
    page = (ROOT / "docs" / "workbench.md").read_text(encoding="utf-8")
    return next(text for text in re.findall(r"```text\n(.*?)```", page, re.S) if text.startswith(begin))


def test_what_the_page_says_of_neovim(tmp_path: Path) -> None:
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("Neovim (nvim) is not installed")
    version = version_of(program)
    if version < (0, 7):
        pytest.skip(f"Neovim {version} knows no language server in Lua")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "ruledsl"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m ruledsl "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    game, init, script = tmp_path / "nuts.yaml", tmp_path / "init.lua", tmp_path / "drive.lua"
    game.write_text(GAME, encoding="utf-8")
    init.write_text(notes("vim.lsp.config" if version >= (0, 11) else "local client"), encoding="utf-8")
    script.write_text(LUA, encoding="utf-8")
    around = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GAME": str(game),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    done = subprocess.run(
        [program, "--headless", "-u", str(init), "-S", str(script)],
        capture_output=True, text=True, encoding="utf-8", env=around, cwd=tmp_path, timeout=300,
    )  # fmt: skip
    said = re.search(r"@@(.*)@@", done.stdout + done.stderr)
    assert said is not None, done.stdout + done.stderr
    heard = json.loads(said[1])
    line = GAME.splitlines()[10]
    column = len(line[: line.index("wrong")].encode())  # Neovim counts bytes
    assert [10, column] in [one[:2] for one in heard["told"]], heard["told"]
    assert "n" in heard["offered"]
    assert "acorns" in heard["offered"]
