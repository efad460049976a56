"""Set up ruledsl in `.venv` beside this file, then run it.

    python3 run.py play tic-tac-toe     the command `ruledsl play tic-tac-toe`
    python3 run.py tests -k chess       the tests; what follows goes to pytest

Standard library only, and without newer syntax: Python 3.6 must still read it, to be told that it is too old.
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

OLDEST = (3, 11)
WINDOWS = os.name == "nt"
ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "Scripts", "python.exe") if WINDOWS else os.path.join(VENV, "bin", "python")
STAMP = os.path.join(VENV, "ruledsl-setup.json")
PIP = [VENV_PYTHON, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]


class SetupError(Exception):
    """What the user reads when set-up cannot go on."""


def main(args):
    try:
        if sys.version_info < OLDEST:
            return run([newer_python(), os.path.abspath(__file__), *args])
        testing = args[:1] == ["tests"]
        ensure("test" if testing else "run")
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("\nset-up stopped; it starts over next time")
        return 130
    if testing:
        os.chdir(ROOT)
        return run([VENV_PYTHON, "-m", "pytest", *in_parallel(args[1:])])
    # For messages that tell the next command; as it was typed, for that runs here.
    os.environ["RULEDSL_STARTED_AS"] = started_as()
    # -P: a yaml.py in the designer's own folder must not be imported.
    return run([VENV_PYTHON, "-P", "-m", "ruledsl", *args])


def started_as():
    return " ".join(["py" if WINDOWS else "python3", shlex.quote(sys.argv[0])])


def newer_python():
    for name in ("python3.13", "python3.12", "python3.11", "python3.14"):
        found = shutil.which(name)
        if found and is_new_enough(found):
            say("Python {}.{} is too old, using {}".format(*sys.version_info[:2], found))
            return found
    raise SetupError(
        "ruledsl needs Python {}.{} or newer; this is {}.{} ({}).\n"
        "Install a newer one (python.org, or your system's packages) and run this file with it.".format(
            *OLDEST, *sys.version_info[:2], sys.executable
        )
    )


def is_new_enough(python):
    question = "import sys; sys.exit(sys.version_info < {!r})".format(OLDEST)
    quiet = subprocess.DEVNULL
    return subprocess.call([python, "-c", question], stdout=quiet, stderr=quiet) == 0


def in_parallel(pytest_args):
    chosen = any(arg.startswith(("-n", "--numprocesses")) for arg in pytest_args)
    # Tests of a file mostly stay in one process, where what they load and compile is kept.
    return pytest_args if chosen else ["-n", "auto", "--dist", "worksteal", *pytest_args]


def run(command):
    """Hand over to `command`: its output, exit code and Ctrl-C are its own."""
    sys.stdout.flush()
    sys.stderr.flush()
    if not WINDOWS:
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        # Ctrl-C reaches the child as well; it decides what happens.
        with contextlib.suppress(KeyboardInterrupt):
            return child.wait()


# Set-up. The stamp is the truth about `.venv`: it says "unfinished" before the first file is written and
# names the installed locks after the last one, so a set-up killed in between is seen and starts over.


def ensure(lock):
    if is_ready(lock):
        return
    refuse_without("venv", "ensurepip")
    try:
        with one_at_a_time() as guard:
            if not is_ready(lock):
                set_up(lock, guard)
    except OSError as error:
        raise SetupError("cannot set up in {}: {}".format(ROOT, error)) from error


def is_ready(lock):
    stamp = read_stamp()
    return same_base(stamp) and stamp["locks"].get(lock) == fingerprint(lock) and os.path.exists(VENV_PYTHON)


def same_base(stamp):
    """Whether `.venv` was finished for this Python and in this place (one that was moved does not work)."""
    return isinstance(stamp.get("locks"), dict) and stamp.get("base") == base()


def base():
    return {"python": "{}.{}.{}".format(*sys.version_info[:3]), "prefix": sys.base_prefix, "folder": VENV}


def fingerprint(lock):
    with open(lock_file(lock), "rb") as file:
        return hashlib.sha256(file.read().replace(b"\r\n", b"\n")).hexdigest()


def lock_file(lock):
    return os.path.join(ROOT, "requirements", lock + ".txt")


def read_stamp():
    try:
        with open(STAMP, encoding="utf-8") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(stamp):
    with open(STAMP + ".new", "w", encoding="utf-8") as file:
        json.dump(stamp, file)
    os.replace(STAMP + ".new", STAMP)


def refuse_without(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise SetupError(
            "this Python ({python}) comes without `{module}`, which set-up needs.\n"
            "  Debian, Ubuntu: sudo apt install python{version}-venv    (or python3-venv)\n"
            "  other systems:  install your system's full Python package, or Python from python.org".format(
                python=sys.executable, module=missing[0], version="{}.{}".format(*sys.version_info[:2])
            )
        )


def set_up(lock, guard):
    started = time.time()
    adding = same_base(read_stamp()) and read_stamp()["locks"].get("run") == fingerprint("run")
    if not adding:
        refuse_to_delete_what_is_not_ours()
    what = "adding what the tests need to .venv" if adding else "setting up .venv"
    say("ruledsl: {} (only now, a minute or less)".format(what))
    if not adding:
        clear_venv()
        os.makedirs(VENV, exist_ok=True)
    write_stamp({"unfinished": True})
    if not adding:
        # Not sys.executable: that may be the very .venv which was just cleared.
        python = getattr(sys, "_base_executable", None) or sys.executable
        work([python, "-I", "-m", "venv", VENV], "creating .venv", guard)
    packages = ["--progress-bar", "off", "--require-hashes", "-r", lock_file(lock)]
    work([*PIP, *packages], "packages", guard, count(lock))
    work([*PIP, "--no-deps", "--no-build-isolation", "-e", ROOT], "ruledsl itself", guard)
    # As pip does with packages, so that commands start at once even where Python may write no bytecode.
    work([VENV_PYTHON, "-I", "-m", "compileall", "-q", os.path.join(ROOT, "ruledsl")], "ruledsl itself", guard)
    installed = ("run", "test") if lock == "test" else ("run",)  # the lock for tests holds the other one
    write_stamp({"base": base(), "locks": {name: fingerprint(name) for name in installed}})
    say("ruledsl: ready after {:.0f} s".format(time.time() - started))


def refuse_to_delete_what_is_not_ours():
    if not os.path.lexists(VENV):
        return
    if not os.path.isdir(VENV) or os.path.islink(VENV) or (os.listdir(VENV) and not os.path.exists(STAMP)):
        raise SetupError(VENV + " was not made by run.py: move or delete it, then try again")


def clear_venv():
    """Empty `.venv`, but keep the stamp: a half-emptied folder is still known as ours."""
    if not os.path.isdir(VENV):
        return
    write_stamp({"unfinished": True})
    for name in os.listdir(VENV):
        path = os.path.join(VENV, name)
        if path == STAMP:
            continue
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def count(lock):
    with open(lock_file(lock), encoding="utf-8") as file:
        return len(re.findall(r"^[\w.-]+==", file.read(), re.MULTILINE))


def work(command, what, guard, total=0):
    """Run one step in silence but for its progress; all it wrote is shown if it fails."""
    written, done = [], 0
    progress(what)
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
        env=pip_environment(),
        # A step that outlives this process (kill -9) keeps the guard, and the next set-up waits for its end.
        **({} if WINDOWS else {"pass_fds": [guard.fileno()]}),
    )
    for line in child.stdout:
        written.append(line)
        step = re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)", line)
        if step and total:
            done += 1
            progress("{}: {} of {}, {}".format(what, min(done, total), total, step.group(1)))
        elif line.startswith("Installing collected"):
            progress(what + ": installing")
    failed = child.wait()
    progress("")
    if failed:
        raise SetupError(explain(written, what))


def pip_environment():
    """The user's proxies, certificates and mirrors stay; what would send packages elsewhere does not."""
    astray = {"PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN", "PYTHONHOME"}
    return {**{name: value for name, value in os.environ.items() if name not in astray}, "PIP_USER": "0"}


def explain(written, what):
    text = "".join(written)
    if "No space left" in text:
        return "set-up stopped: the disk is full"
    if "DO NOT MATCH THE HASHES" in text:
        return "set-up stopped: a downloaded package is not the one that was locked (a mirror, or damage)"
    if re.search(r"(NewConnection|NameResolution|Timeout|Proxy|SSL)Error|ConnectTimeout|timed out", text):
        last = [line for line in written if "Error" in line or "timed out" in line][-1].strip()
        return (
            "set-up stopped: no connection to the Python package index.\n"
            "It needs the network once; check that (and your proxy), then run the same line again.\n"
            "What was reported last: " + last
        )
    reported = "".join(written[-25:])
    return "{}\nset-up stopped at: {}. Run the same line to start over.".format(reported, what)


def progress(text):
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" + ("  " + text if text else ""))
        sys.stderr.flush()


@contextlib.contextmanager
def one_at_a_time():
    with open(VENV + ".lock", "a+") as guard:
        waiting = False
        while not try_lock(guard):
            if not waiting:
                say("ruledsl: another set-up is at work here, waiting for it")
                waiting = True
            time.sleep(0.2)
        yield guard  # closing the file lets go, and so does the end of the process


def try_lock(guard):
    try:
        if WINDOWS:
            import msvcrt

            guard.seek(0)
            msvcrt.locking(guard.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def say(text):
    # stderr: what the command itself prints may go to a file.
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
