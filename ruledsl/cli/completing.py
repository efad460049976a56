"""Scripts that let shells complete command lines: commands, their options with what these take, names of games.

They are written from the parsers of the commands and ask nobody while one types, so they are as quick as the shell.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import field
from importlib import import_module
from shlex import quote

from ruledsl import shipped
from ruledsl.records import dataclass

_GAMES = ("GAME", "GAMES", "PATH")  # what stands for a game in the usage of a command


@dataclass
class Words:
    """What a command takes: options with their help, the words that an option takes, and whether a game follows."""

    does: str
    options: dict[str, str] = field(default_factory=dict)
    takes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    words: tuple[str, ...] = ()


def known() -> dict[str, Words]:
    """Every command with what can be written behind it."""
    from ruledsl.cli.main import commands

    found = {}
    for name, does in commands().items():
        parser = ArgumentParser(name)
        import_module(f"ruledsl.cli.commands.{name}").arguments(parser)
        found[name] = _words(does, parser)
    return found


def _words(does: str, parser: ArgumentParser) -> Words:
    found = Words(does)
    for action in parser._actions:
        choices = tuple(map(str, action.choices)) if action.choices is not None else ()
        for option in action.option_strings:
            found.options[option] = " ".join((action.help or "").replace("`", "").split())
            if choices:
                found.takes[option] = choices
        if not action.option_strings:
            games = tuple(shipped.names()) if action.metavar in _GAMES else ()
            found.words = (*found.words, *choices, *games)
    return found


def bash() -> str:
    cases = []
    for name, one in known().items():
        takes = ""
        for option, words in one.takes.items():
            takes += f"\n            {option}) words={quote(' '.join(words))} ;;"
        every = quote(" ".join([*one.options, *one.words]))
        cases.append(f"    {name})\n        case $prev in{takes}\n            *) words={every} ;;\n        esac ;;")
    return f"""\
# Completion of ruledsl for bash; put this into ~/.bashrc: eval "$(ruledsl completion bash)"
_ruledsl() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=( $(compgen -W {quote(" ".join(known()))} -- "$cur") )
        return
    fi
    case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
    esac
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
    case $cur in -*) ;; *) COMPREPLY+=( $(compgen -f -- "$cur") ) ;; esac
}}
complete -o filenames -F _ruledsl ruledsl
"""


def zsh() -> str:
    cases = []
    for name, one in known().items():
        takes = ""
        for option, words in one.takes.items():
            takes += f"\n            ({option}) compadd {' '.join(map(quote, words))}; return ;;"
        every = " ".join(map(quote, [*one.options, *one.words]))
        head = f"        ({name})\n            case $words[CURRENT-1] in{takes}\n            esac"
        cases.append(f"{head}\n            compadd -- {every} ;;")
    listed = [quote(f"{name}:{one.does}") for name, one in known().items()]
    commands = "\n".join(f"        {one}" for one in listed)
    return f"""\
#compdef ruledsl
# Completion of ruledsl for zsh; put this into ~/.zshrc, after compinit: eval "$(ruledsl completion zsh)"
_ruledsl() {{
    if (( CURRENT == 2 )); then
        local -a commands=(
{commands}
        )
        _describe command commands
        return
    fi
    case $words[2] in
{chr(10).join(cases)}
    esac
    [[ $PREFIX == -* ]] || _files
}}
compdef _ruledsl ruledsl
"""


def fish() -> str:
    lines = ["# Completion of ruledsl for fish: ruledsl completion fish > ~/.config/fish/completions/ruledsl.fish"]
    for name, one in known().items():
        lines.append(f"complete -c ruledsl -f -n __fish_use_subcommand -a {name} -d {_fish(one.does)}")
    for name, one in known().items():
        here = f"complete -c ruledsl -n '__fish_seen_subcommand_from {name}'"
        for option, help in one.options.items():
            word = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            takes = f" -x -a {_fish(' '.join(one.takes[option]))}" if option in one.takes else ""
            lines.append(f"{here} {word}{takes} -d {_fish(help)}")
        if one.words:
            lines.append(f"{here} -a {_fish(' '.join(one.words))}")
    return "\n".join(lines) + "\n"


def _fish(text: str) -> str:
    """Quoted as fish wants it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
