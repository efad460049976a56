"""Completion by shells: the scripts are run by the shells that are here, and have all that the parsers have."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from ruledsl.cli import completing
from ruledsl.cli.commands.completion import SHELLS
from ruledsl.cli.main import commands, main


def completed(*words: str) -> set[str]:
    """What bash offers for the last word."""
    line = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _ruledsl"
    script = f"{completing.bash()}\n{asked}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash() -> None:
    assert completed("ruledsl", "") == set(commands())
    assert completed("ruledsl", "sim") == {"simulate"}
    assert {"--fix", "--format"} <= completed("ruledsl", "check", "--f")
    assert completed("ruledsl", "check", "--format", "j") == {"json"}
    assert "chess" in completed("ruledsl", "play", "ch")
    assert completed("ruledsl", "completion", "z") == {"zsh"}


def offered_by_fish(typed: str, folder: Path) -> set[str]:
    script = folder / "ruledsl.fish"
    script.write_text(completing.SHELLS["fish"](), encoding="utf-8")
    said = subprocess.run(
        ["fish", "--no-config", "-c", f"source {script}; complete -C '{typed}'"],
        capture_output=True, text=True, check=True, env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    assert said.stderr == ""
    return {line.split("\t")[0] for line in said.stdout.splitlines()}


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish here")
def test_fish(tmp_path: Path) -> None:
    assert offered_by_fish("ruledsl ", tmp_path) == set(commands())
    assert offered_by_fish("ruledsl simu", tmp_path) == {"simulate"}
    assert {"--fix", "--format"} <= offered_by_fish("ruledsl check --f", tmp_path)
    assert offered_by_fish("ruledsl check --format j", tmp_path) == {"json"}
    assert "chess" in offered_by_fish("ruledsl play ch", tmp_path)
    assert "zsh" in offered_by_fish("ruledsl completion z", tmp_path)


def completed_by_zsh(typed: list[str], folder: Path) -> list[str]:
    """The lines that become of what is typed before the key Tab, in an interactive zsh."""
    import pty

    script = folder / "ruledsl.zsh"
    script.write_text(completing.SHELLS["zsh"](), encoding="utf-8")
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(HOME=str(folder), TERM="dumb", PS1="")
        os.execvp("zsh", ["zsh", "-f", "-i"])
    said = b""

    def wait_for(mark: bytes) -> None:
        nonlocal said
        until = time.monotonic() + 60
        while mark not in said:
            assert select.select([terminal], [], [], max(0.0, until - time.monotonic()))[0], said
            said += os.read(terminal, 65_536)

    try:
        ready = f"autoload -U compinit; compinit -u -D; source {script}; unsetopt beep; bindkey -e; print read''y\n"
        os.write(terminal, ready.encode())
        wait_for(b"ready\r\n")
        for number, words in enumerate(typed):
            os.write(terminal, f"{words}\t\x01print -r -- 'a''{number}:' \x05 ':''{number}z'\n".encode())
            wait_for(f":{number}z\r\n".encode())
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
    text = said.decode()
    found = [re.findall(rf"a{number}: (.*) :{number}z\r$", text, re.M) for number in range(len(typed))]
    return [one[-1].strip() if one else text for one in found]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh here")
def test_zsh(tmp_path: Path) -> None:
    typed = [
        "ruledsl simu",
        "ruledsl check --form",
        "ruledsl check --format j",
        "ruledsl play che",
        "ruledsl completion z",
    ]
    assert completed_by_zsh(typed, tmp_path) == [
        "ruledsl simulate",
        "ruledsl check --format",
        "ruledsl check --format json",
        "ruledsl play chess",
        "ruledsl completion zsh",
    ]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_can_read_theirs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    script = completing.SHELLS[shell]()
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_there(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    said = capsys.readouterr().out
    for name, one in completing.known().items():
        assert name in said
        for option in one.options:
            word = option if shell != "fish" else f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            assert word in said
    assert tuple(completing.SHELLS) == SHELLS


def test_a_shell_that_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "csh"]) == 2
    assert "invalid choice: 'csh'" in capsys.readouterr().err
