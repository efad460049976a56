"""Completion by shells: the scripts are run by the shells that are here, and have all that the parsers have."""

from __future__ import annotations

import shutil
import subprocess

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
