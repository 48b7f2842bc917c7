"""`sleepwake snapshot`, as a person and a script run it; and what running it loads."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sleep import __main__
from sleep.wake.snapshot import record_sections

HEAVY = {
    *("argparse", "asyncio", "dataclasses", "datetime", "git", "inspect", "invoke", "logging", "mistune", "pathlib"),
    *("random", "rich", "ruamel", "shutil", "socket", "subprocess", "tempfile", "threading", "traceback"),
}


def command(words):
    """Run `sleepwake snapshot` in this process and return its exit code."""
    with pytest.raises(SystemExit) as end:
        __main__.main(["sleepwake", "snapshot", *words])
    return end.value.code


def test_text(world):
    """The text is printed with one line feed at its end."""
    code, out, err = world.lay({"core/0.soul.md": "Grüße 😀"}).run()
    assert (code, err) == (0, "")
    assert out == world.text() + "\n"


def test_budget(world):
    """A budget holds for what is printed, its line feed aside."""
    world.lay({"core/0.soul.md": "Words. " * 900})
    for words in (("--budget", "600"), ("--budget=600",), ("-b", "600")):
        code, out, _ = world.run(*words)
        assert (code, len(out) <= 601, "(the rest: " in out or "characters)" in out) == (0, True, True)


def test_tokens(world):
    """The ledger is a table: a line a section, and the sum."""
    _, out, _ = world.lay({"core/0.soul.md": "Words."}).run("--tokens", "--budget", "9500")
    assert out == (
        "section  rung     items  units  bytes  tokens\n"
        "Soul     full    1 of 1     51     51      13\n"
        "in all         of 9,500     82     84      21\n"
    )


def test_json(world):
    """As JSON there are text, budget and ledger."""
    _, out, _ = world.lay({"core/0.soul.md": "Words."}).run("--json")
    said = json.loads(out)
    assert said["text"] == world.text()
    assert said["budget"] is None
    assert said["sections"] == [
        {"name": "Soul", "rung": "full", "units": 51, "bytes": 51, "tokens": 13, "shown": 1, "of": 1}
    ]


def test_nothing_to_tell(world):
    """A context without a word prints nothing, and that is no error."""
    assert world.lay({}).run() == (0, "", "")


def test_no_memory(tmp_path, monkeypatch, capsys):
    """Where there is no memory nothing is printed; a folder that was named has to have one."""
    monkeypatch.chdir(tmp_path)
    assert command([]) == 0
    assert capsys.readouterr() == ("", "")
    assert command(["--root", str(tmp_path)]) == 4
    assert "sleepwake init" in capsys.readouterr().err


def test_a_folder_that_was_removed(world, tmp_path, monkeypatch, capsysbinary):
    """In a folder that somebody removed meanwhile there is no memory, unless one is named."""
    world.lay({"core/0.soul.md": "Words."})
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert command([]) == 0
    assert capsysbinary.readouterr() == (b"", b"")
    assert command(["--root", world.base]) == 0
    assert capsysbinary.readouterr().out.decode() == world.text() + "\n"


def test_the_environment_names_a_root(world, monkeypatch, tmp_path_factory, capsysbinary):
    """`SLEEP_ROOT` is where the memory is, from wherever the command runs."""
    world.lay({"core/0.soul.md": "Words."})
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setenv("SLEEP_ROOT", world.base)
    assert command([]) == 0
    assert capsysbinary.readouterr().out.decode() == world.text() + "\n"


@pytest.mark.parametrize(
    "words", [["--budget"], ["--budget", "x"], ["--budget=0"], ["--budget", "-5"], ["--nope"], ["more"], ["--json=1"]]
)
def test_words_it_cannot_take(words, capsys):
    """Words that are off end with 2, a sentence on the error stream, and on the other nothing but JSON, where asked."""
    assert command(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert command([*words, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["hint"] == "sleepwake snapshot --help"
    assert "sleepwake snapshot --help" in err


def test_settings_that_are_broken_do_no_harm(world):
    """A settings file that is out of order costs the levels of debt and a word about it, not the snapshot."""
    for text, said in (
        ("debt:\n  sleepy: many\n", "debt.sleepy is 'many'"),
        ("a: b: c\n", "line 1: mapping values are not allowed here"),
    ):
        _, out, err = world.lay({"sleep.yaml": text, "state/.sleep.json": '{"debt": 8}'}).run()
        assert "- Debt: 8 (Sleepy)" in out
        assert said in err
        assert "the levels of debt are the defaults" in err
    for text in ("format: 1\ndebt:\n  sleepy: 9\n", "debt: {sleepy: 9}\n"):
        assert "- Debt: 8 (Drowsy)" in world.lay({"sleep.yaml": text}).run()[1]


def test_a_separate_memory_says_where_its_paths_are(world):
    """Where the memory is a repository of its own, the base that its paths are below is said."""
    context = world.lay({"sleep.yaml": "format: 1\n"}).context
    assert context.base in record_sections.commands(context._replace(separate=True)).items[0].full
    assert context.base not in record_sections.commands(context).items[0].full


def test_the_commands_exist(world):
    """Every command that a snapshot names is one of the program's."""
    import re  # noqa: PLC0415

    from sleep.tasks import namespace  # noqa: PLC0415

    many = "".join(f"- Number {at} of many [i1ptb.{at}]\n" for at in range(1, 40))
    files = {
        "sleep.yaml": "",
        "state/.sleep.json": json.dumps(
            {"debt": 8, "sessions": [{"session_id": f"s{at}", "score": 1} for at in range(40)]}
        ),
        "hot/threads.md": f"## Threads\n\n{many}",
        "hot/context.md": f"## Questions\n\n{many}\n## Constraints\n\n{many}",
    }
    text = world.lay(files).text() + world.text(1_200) + world.text(4_000)
    said = set(re.findall(r"`sleepwake ([\w.]+)", text))
    assert said >= {"wake", "memory.explain", "thread.list", "question.list", "constraint.list", "sleep.status"}
    assert said <= {*namespace.task_names, *namespace.collections, "snapshot"}


def test_nothing_heavy_is_loaded(world):
    """Neither loading nor running the command loads anything that costs a session start its time."""
    world.lay(
        {
            "sleep.yaml": "format: 1\n",
            "core/0.soul.md": "---\nname: [broken\n---\nWords.",
            "core/CHANGELOG.json": '[{"description": "x"}]',
            "state/.sleep.json": '{"debt": 8}',
            "hot/threads.md": "## Threads\n\n- **T-001** A [i1ptb.1]\n",
            "/main.md": "# P\n\n## HANDOFF\n\n- next_priority: x\n",
            "knowledge/记.md": "---\npinned: true\n---\n```\n## Why\n```\n",
        }
    )
    script = (
        "import sys; before = set(sys.modules)\n"
        "from sleep.settings import Settings\n"
        "from sleep.wake.snapshot import build, cli\n"
        "from sleep.store import context\n"
        f"where = context.find({world.base!r})\n"
        "build.snapshot(where, Settings(), 900), build.briefing(where, Settings(), 9500)\n"
        f"cli.show(cli.read(['--root', {world.base!r}]))\n"
        "print('\\nLOADED', *sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run(
        (sys.executable, "-I", "-c", script), capture_output=True, text=True, check=True, encoding="utf-8"
    )
    loaded = ran.stdout.rpartition("LOADED")[2].split()
    assert "sleep.wake.snapshot.record_sections" in loaded
    assert not {one.partition(".")[0] for one in loaded} & HEAVY
    ours = {one for one in loaded if one.startswith("sleep.")}
    assert not ours & {
        "sleep.documents.yaml_oracle",
        "sleep.store.repository",
        "sleep.documents.markdown.blocks",
        "sleep.tasks",
    }
    assert not {one for one in ours if one.startswith(("sleep.cycle", "sleep.compression", "sleep.clients"))}
