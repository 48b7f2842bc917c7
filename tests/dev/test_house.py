"""The rules of the house: what each counts, and the list of offenders that may only shrink."""

from __future__ import annotations

import ast

import pytest

from dev import ROOT
from dev.house import names, offenders, shape, sources
from dev.house.sources import Source


def source(text="", name="sleep.room.page", *, is_package=False):
    """Return a module of a text."""
    return Source(name, len(text.splitlines()), ast.parse(text), is_package)


def test_paths_through_a_function():
    """Each branch, `and`, `or`, conditional expression and comprehension with its conditions is a path more."""
    text = """
def f(a, b):
    def inner():
        return 1 if a else 2
    if a and b or a:
        return [x for x in a if x if b]
    elif b:
        pass
    for x in a:
        while x:
            try:
                return 1 if x else 2
            except ValueError:
                pass
    match a:
        case 1: pass
        case _: pass
"""
    function = ast.parse(text).body[0]
    assert shape.complexity(function) == 1 + 3 + 3 + 1 + 1 + 1 + 1 + 1 + 2
    assert shape.complexity(function.body[0]) == 2


def test_what_is_too_large():
    """A function of 51 lines, a file of 401 and a package of 16 modules are too large, and one less is not."""
    function = "class C:\n    def f(self):\n" + "        pass\n" * 50
    found = shape.offences(
        [source(function), source("\n" * 401, "sleep.room.long"), source("\n" * 400, "sleep.room.ok")]
    )
    assert found == {("function", "sleep.room.page.C.f"): 51, ("file", "sleep.room.long"): 401}
    many = [source(name=f"sleep.hall.m{number}") for number in range(16)]
    assert shape.offences([*many, source(name="sleep.hall", is_package=True)]) == {("package", "sleep.hall"): 16}
    assert shape.offences(many[1:]) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_TOLD = 1", {("name", "sleep.room.page._TOLD"): 1, ("value", "sleep.room.page:told"): 0}),
        ("def _lines_said(): ...", {("name", "sleep.room.page._lines_said"): 1}),
        ("def is_told(): ...\n_LOST_LINES = 1", {}),
        ("for one in (): found = one", {("value", "sleep.room.page:one"): 1, ("value", "sleep.room.page:found"): 1}),
        ("f = lambda given, *, said: 0", {("value", "sleep.room.page:given"): 1, ("value", "sleep.room.page:said"): 1}),
        ("@task()\ndef recall(_c, ever=False): ...", {}),
        ("class A:\n    kept: int", {("value", "sleep.room.page:kept"): 1}),
        ("class A(enum.Enum):\n    kept = 1", {}),
    ],
)
def test_names_that_are_refused(text, expected):
    """Words that say nothing of what a thing is are refused where something is bound to them."""
    assert names.offences([source(text)]) == {key: number for key, number in expected.items() if number}


def test_modules_that_are_refused():
    """Participles and gerunds are no names of modules, but for those that are nouns."""
    found = names.offences([source(name=f"sleep.room.{base}") for base in ("kept", "running", "heading", "page_told")])
    assert set(found) == {("module", f"sleep.room.{base}") for base in ("kept", "running", "page_told")}


def test_base_names():
    """A base name stands once, mirrors left out."""
    places = (
        "sleep.a.page",
        "sleep.b.page",
        "sleep.tasks.cycle.wake",
        "sleep.wake.wake",
        "sleep.clients.x",
        "sleep.transcripts.x",
        "dev.a.x",
    )
    assert names.offences([source(name=name) for name in places]) == {("base", "page"): 2}


def test_the_list_may_only_shrink():
    """A new offence, one that has grown and an entry without an offence are refused; one that has shrunk is not."""
    listed = {("file", "same"): 500, ("file", "less"): 500, ("file", "more"): 500, ("file", "gone"): 500}
    now = {("file", "same"): 500, ("file", "less"): 450, ("file", "more"): 501, ("file", "new"): 401}
    lines = offenders.compare(now, listed)
    assert [line.split()[1] for line in lines] == ["more:", "new:", "gone:"]
    assert offenders.compare({}, {}) == []


def test_shrinking_adds_nothing(tmp_path):
    """What is mended leaves the list, what is smaller is lowered, and what is new is not taken in."""
    (tmp_path / ".ci").mkdir()
    room = tmp_path / "sleep/room"
    room.mkdir(parents=True)
    (room / "page.py").write_text("one = 1\n", encoding="utf-8")
    (room / "long.py").write_text("\n" * 401, encoding="utf-8")
    offenders.write(tmp_path, {("value", "sleep.room.page:one"): 3, ("file", "sleep.room.page"): 500})
    offenders.shrink(tmp_path)
    assert (tmp_path / ".ci/offenders.txt").read_text(encoding="utf-8") == "value sleep.room.page:one 1\n"
    assert [line.partition(":")[0] for line in offenders.complaints(tmp_path, "shape")] == ["file sleep.room.long"]
    assert offenders.complaints(tmp_path, "names") == []


def test_the_list_is_read_by_its_checks(monkeypatch):
    """Every line of the list belongs to a rule, and every module of the packages is read."""
    rules = {rule for rule, _ in offenders._read(ROOT)}
    assert rules <= set(offenders._LIMITS)
    assert sources.PACKAGES == ("sleep", "dev")
    monkeypatch.setattr(sources, "PACKAGES", ("sleep/records", "dev"))
    assert {"dev", "dev.ci.table", "sleep.records", "sleep.records.kinds"} <= {
        module.name for module in sources.read.__wrapped__(ROOT)
    }
