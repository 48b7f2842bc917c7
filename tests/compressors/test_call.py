"""One call of a program: what it is given, what it may do, and that it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sleep.compressors import call, command
from sleep.compressors.delegation import CallError
from sleep.errors import CompressorError
from sleep.settings import Settings

_POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
_PROJECT = Path(__file__).resolve().parents[2]


def _ask(code, prompt="", seconds=20.0, **environ):
    return call.ask([sys.executable, "-c", code], prompt, seconds, {**os.environ, **environ})


def _is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _wait_gone(pid):
    until = time.monotonic() + 10
    while _is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not _is_running(pid)


def test_prompt_in_reply_out():
    """A long prompt in any script arrives whole, and what is printed comes back."""
    prompt = "锁 é\r\n" * 50_000
    assert _ask("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())", prompt) == prompt


def test_what_it_runs_in():
    """It runs in an empty directory, silenced and guarded, without session, root and the calling git's variables."""
    code = "import json, os; print(json.dumps([dict(os.environ), os.listdir('.'), os.getcwd()]))"
    given = {"SLEEP_SESSION": "s", "SLEEP_ROOT": "r", "GIT_DIR": "x", "CLAUDECODE": "1", "ANY_KEY": "k"}
    environ, files, folder = json.loads(_ask(code, **given))
    assert files == []
    assert not os.path.exists(folder)
    assert (environ["SLEEP_OFF"], environ["SLEEP_COMPRESSING"], environ["ANY_KEY"]) == ("1", "1", "k")
    assert not environ.keys() & {"SLEEP_SESSION", "SLEEP_ROOT", "GIT_DIR", "CLAUDECODE"}


def test_garbage_is_text():
    """Bytes that are no UTF-8 become replacement characters, which the judge refuses."""
    assert "\ufffd" in _ask(r"import sys; sys.stdout.buffer.write(b'- \xff\xfe\x80')")


@pytest.mark.parametrize(
    ("code", "why", "said"),
    [
        ("import sys; sys.exit('bad key')", "exit code 1", "bad key"),
        ("print(' ')", "printed nothing", ""),
        ("print('x' * 10_000_000)", "printed more than 1000000 bytes", ""),
        ("import sys; sys.stderr.write('y' * 9_000_000); sys.exit(3)", "exit code 3", "y" * 2_000),
    ],
)
def test_a_call_that_comes_to_nothing(code, why, said):
    """An exit code, silence and a flood end the call with the reason, and with the last of what was said."""
    with pytest.raises(CallError) as caught:
        _ask(code)
    assert (caught.value.why, caught.value.said) == (why, said)


@_POSIX_ONLY
def test_a_signal_is_said():
    """One that was killed is told from one that ended."""
    with pytest.raises(CallError, match="ended by signal 9"):
        _ask("import os; os.kill(os.getpid(), 9)")


def test_one_that_cannot_be_started():
    """A program that is no program is a call that failed."""
    with pytest.raises(CallError, match="could not be started"):
        call.ask([str(_PROJECT / "README.md")], "", 5, os.environ)


@_POSIX_ONLY
@pytest.mark.parametrize("ignore", ["", "signal.signal(signal.SIGTERM, signal.SIG_IGN);"])
def test_a_time_out_ends_it_and_what_it_started(tmp_path, ignore):
    """One that hangs, also one that ignores SIGTERM, is gone after the time-out, and so is its child."""
    pids = tmp_path / "pids"
    code = (
        f"import os, signal, subprocess, sys, time; {ignore}"
        f"grandchild = subprocess.Popen([sys.executable, '-c', 'import signal, time; {ignore} time.sleep(600)']);"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{grandchild.pid}}'); time.sleep(600)"
    )
    with pytest.raises(CallError, match=r"no answer within 1\.5 s"):
        _ask(code, seconds=1.5)
    assert all(_wait_gone(int(pid)) for pid in pids.read_text().split())


@_POSIX_ONLY
def test_it_is_asked_before_it_is_killed(tmp_path):
    """One that hangs may tidy up when it is asked to end."""
    mark = tmp_path / "tidy"
    code = (
        f"import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: (open({str(mark)!r}, 'w'), sys.exit()));"
        "print('x' * 2_000_000, flush=True); time.sleep(600)"
    )
    with pytest.raises(CallError, match="printed more"):
        _ask(code)
    assert mark.exists()


@_POSIX_ONLY
def test_what_is_left_behind_is_ended(tmp_path):
    """A program that answers and leaves a process behind, which holds its output open, does not keep us waiting."""
    pids = tmp_path / "pids"
    code = (
        "import subprocess, sys; "
        "left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        f"open({str(pids)!r}, 'w').write(str(left.pid)); print('- done')"
    )
    began = time.monotonic()
    assert _ask(code) == "- done\n"
    assert time.monotonic() - began < 10
    assert _wait_gone(int(pids.read_text()))


@_POSIX_ONLY
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_our_end_is_its_end(tmp_path, number):
    """When we are interrupted or ended, the program is ended first, whatever signals whoever runs the tests ignores."""
    pids = tmp_path / "pid"
    hang = f"import os, time; open({str(pids)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    usual = "signal.default_int_handler" if number == signal.SIGINT else "signal.SIG_DFL"
    code = (
        f"import os, signal, sys; signal.signal({int(number)}, {usual});"
        f"from sleep.compressors import call; call.ask([sys.executable, '-c', {hang!r}], '', 500, os.environ)"
    )
    ours = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(_PROJECT)}, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 20
    while not (pids.exists() and pids.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    try:
        ours.send_signal(number)
        assert ours.wait(20) in (-number, 1)
        assert _wait_gone(int(pids.read_text()))
    finally:
        if ours.poll() is None:
            ours.kill()
            ours.wait()
            os.kill(int(pids.read_text()), signal.SIGKILL)


@_POSIX_ONLY
def test_what_the_person_ignores_stays_ignored(tmp_path):
    """Under `nohup` the end of the terminal ends neither us nor the program: whoever ignores a signal means it."""
    go = tmp_path / "go"
    waits = (
        f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        f"while not os.path.exists({str(go)!r}): time.sleep(0.02)\n"
        "print('- done')"
    )
    code = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
        f"from sleep.compressors import call; print(call.ask([sys.executable, '-c', {waits!r}], '', 60, os.environ))"
    )
    ours = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(_PROJECT)}, stdout=subprocess.PIPE
    )
    until = time.monotonic() + 20
    while not (tmp_path / "pid").exists() and time.monotonic() < until:
        time.sleep(0.02)
    ours.send_signal(signal.SIGHUP)
    go.touch()
    assert ours.communicate(timeout=60)[0].strip() == b"- done"
    assert ours.returncode == 0


def test_our_own_signals_are_as_before():
    """A call leaves the signal handlers of this process as they were, and works outside of the main thread too."""
    before = [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)]
    assert _ask("print(1)") == "1\n"
    said = []
    thread = threading.Thread(target=lambda: said.append(_ask("print(2)")))
    thread.start()
    thread.join()
    assert said == ["2\n"]
    assert [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)] == before


def _prepared(text, **environ):
    return command.prepare(Settings(compressor_command=text), {**os.environ, **environ}, ())


def test_the_command_is_words_and_no_shell_reads_it(tmp_path):
    """Quotes group words; `;`, `$` and `|` are what they are."""
    mark = tmp_path / "mark"
    words = command.arguments(f"prog 'two words' ; touch {mark} | $(touch {mark})")
    assert words[:3] == ["prog", "two words", ";"]
    code = "import sys; print(sys.argv[1:])"
    asking = _prepared(f"{sys.executable} -c '{code}' ';' 'touch' '$(touch {mark})'")
    assert asking._call("") == f"{[';', 'touch', f'$(touch {mark})']}\n"
    assert not mark.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no command is given"),
        ("  ", "no command is given"),
        ("claude -p 'x", "cannot be read"),
        ("no-such-program-x -p", "no-such-program-x was not found"),
        ("./tool.py", "was not found"),
        ("tools/tool.py", "was not found"),
    ],
)
def test_a_command_that_cannot_work_stops(tmp_path, monkeypatch, text, words):
    """No command, one that cannot be read, a missing program and one at a relative path are errors at once."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    for tool in (tmp_path / "tool.py", tmp_path / "tools" / "tool.py"):
        tool.write_text("#!/bin/sh\n")
        tool.chmod(0o755)
    with pytest.raises(CompressorError, match=words):
        _prepared(text)
    with pytest.raises(CompressorError):  # also where PATH leads to the folder we are in
        _prepared("tool.py", PATH=".")


def test_its_name_is_the_programs(tmp_path):
    """The trailer names the program, without its folder and arguments, which may be private."""
    tool = tmp_path / "my tool.sh"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert _prepared(f"'{tool}' --key 12345").name == "command/my-tool"


_AT_WORST = """
import os, signal, sys
def inside(frame, event, arg):
    process = frame.f_locals["self"]
    there = process._waitpid_lock.locked() if frame.f_code.co_name == "_internal_poll" else process._child_created
    if event == "line" and there and sent.count(frame.f_code.co_name) < 1:
        sent.append(frame.f_code.co_name)
        signal.raise_signal(signal.SIGINT)
    return inside
sent = []
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.settrace(lambda frame, event, arg: inside if frame.f_code.co_name == sys.argv[2] else None)
from sleep.compressors import call
call.ask([sys.executable, "-c", sys.argv[1]], "", 500, os.environ)
"""


@_POSIX_ONLY
@pytest.mark.parametrize("place", ["_execute_child", "_internal_poll"])
def test_an_interrupt_at_the_worst_moment(tmp_path, place):
    """An interrupt in the middle of starting the program, or of a look at it, neither loses it nor stops its end."""
    ready = tmp_path / "ready"
    hang = f"import time; open({str(ready)!r}, 'w').write('x'); time.sleep(600)"
    ours = subprocess.Popen(
        [sys.executable, "-c", _AT_WORST, hang, place],
        env={**os.environ, "PYTHONPATH": str(_PROJECT)},
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    try:
        _, said = ours.communicate(timeout=30)
    finally:
        if ours.poll() is None:
            ours.kill()
    assert "KeyboardInterrupt" in said
    assert not [pid for pid in Path("/proc").glob("[0-9]*") if str(ready).encode() in _words(pid)]


def _words(process):
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""
