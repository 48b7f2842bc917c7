"""The gate, met from the cycle: a compressor that lies is stopped, with what is missing named and nothing changed."""

from __future__ import annotations

import pytest

from sleep.cycle import journal_to_hot, steps
from sleep.documents import paths, tier
from sleep.errors import GateError, SecretError


def _lived(scene):
    for number in range(1, 4):
        scene.cycle(number)
    scene.add("decision", "Use the lock", why="it is fast", alternatives="none")
    scene.add("constraint", "Never write outside of the root")


def _faulty(monkeypatch, name, spoil):
    """Let the step `name` return what `spoil` makes of it."""
    room = journal_to_hot if hasattr(journal_to_hot, name) else steps
    honest = getattr(room, name)
    monkeypatch.setattr(room, name, lambda view, *rest: spoil(view, honest(view, *rest)))


def _refused(scene, words, kind=GateError):
    """Sleep, and assert that it is refused with these words, and that of the whole cycle there is no trace."""
    before, commits = scene.owned(), len(scene.subjects())
    with pytest.raises(kind) as caught:
        scene.sleep()
    for word in words:
        assert word in str(caught.value)
    assert scene.owned() == before
    assert scene.subjects()[: len(scene.subjects()) - commits] == ["sleep: adopt journal/instance-4.md"]
    assert scene.git("status", "--porcelain") == ""


def _without(text, kind):
    """Return a tier's text without its last fragment of a kind."""
    last = [one for one in tier.parse(text or "").fragments if one.kind == kind][-1]
    return tier.write(text, drop=[last])


@pytest.mark.parametrize(
    ("kind", "path"), [("decision", paths.DECISIONS), ("question", paths.CONTEXT), ("constraint", paths.CONTEXT)]
)
def test_a_record_that_gets_lost(scene, monkeypatch, kind, path):
    """A step that loses a decision, a question or a constraint of the journal is refused, and names it."""
    scene.grow(_lived)
    scene.add("question", "Where does it end?")

    def spoil(_view, decided):
        writes = dict(decided.writes)
        writes[path] = _without(writes[path], kind)
        return decided._replace(writes=writes)

    _faulty(monkeypatch, "journal_to_hot", spoil)
    _refused(scene, [kind, "is in no register"])
    monkeypatch.undo()
    assert scene.sleep().steps[-1].decided.step == "handoff"


def test_an_older_record_that_gets_lost(scene, monkeypatch):
    """A step that drops a decision from hot memory without a place for it is refused."""
    scene.grow(_lived)

    def spoil(_view, decided):
        return decided._replace(writes={path: text for path, text in decided.writes.items() if "/hot/" in path})

    _faulty(monkeypatch, "hot_to_warm", spoil)
    _refused(scene, ["decision D-002", "is in no register"])


@pytest.mark.parametrize("field", ["why", "alternatives"])
def test_a_decision_that_loses_its_why(scene, monkeypatch, field):
    """A step that keeps a decision and drops its why, or what was rejected, is refused."""
    scene.grow(_lived)

    def spoil(_view, decided):
        text = decided.writes[paths.DECISIONS]
        last = tier.parse(text).fragments[-1]
        return decided._replace(
            writes={**decided.writes, paths.DECISIONS: tier.write(text, replace={last: last.with_field(field, "")})}
        )

    _faulty(monkeypatch, "journal_to_hot", spoil)
    _refused(scene, ["decision D-004", "lost words"])


@pytest.mark.parametrize("word", ["Kubernetes", "42", "`src/unheard.py`", "deadbeef", "数据", "agent"])
def test_a_word_that_is_invented(scene, monkeypatch, word):
    """A step that writes a name, number, path or id that nobody said is refused, and quotes it."""
    scene.grow(_lived)

    def spoil(_view, decided):
        text = decided.writes[paths.CONTEXT]
        last = tier.parse(text).fragments[-1]
        more = last._replace(kind="insight", text=f"It runs on {word}", number="", fields=())
        return decided._replace(writes={**decided.writes, paths.CONTEXT: tier.write(text, add=[more])})

    _faulty(monkeypatch, "journal_to_hot", spoil)
    _refused(scene, ["not in the input", word.strip("`").split("/")[-1].removesuffix(".py")])


def test_an_address_that_leads_nowhere(scene, monkeypatch):
    """A step that gives a fragment an address which nothing has is refused."""
    scene.grow(_lived)

    def spoil(_view, decided):
        text = decided.writes[paths.DECISIONS]
        last = tier.parse(text).fragments[-1]
        wrong = last._replace(addresses=(*last.addresses, last.identity._replace(ordinal=77)))
        return decided._replace(writes={**decided.writes, paths.DECISIONS: tier.write(text, replace={last: wrong})})

    _faulty(monkeypatch, "journal_to_hot", spoil)
    _refused(scene, ["leads nowhere", ".77"])


def test_a_line_without_an_address(scene, monkeypatch):
    """A step that writes an item without an address is refused."""
    scene.grow(_lived)

    def spoil(_view, decided):
        return decided._replace(
            writes={**decided.writes, paths.DECISIONS: decided.writes[paths.DECISIONS] + "- Use the lock\n"}
        )

    _faulty(monkeypatch, "journal_to_hot", spoil)
    _refused(scene, ["without an address"])


def _shortened(spans):
    return spans[:-1]


def _holed(spans):
    return spans[:2] + spans[3:]


def _unreasoned(spans):
    return tuple(one._replace(fate="dropped", detail="") for one in spans)


@pytest.mark.parametrize("lie", [_shortened, _holed, _unreasoned])
def test_an_account_that_lies(scene, monkeypatch, lie):
    """An account of the journal that leaves something out, or drops without a reason, is refused."""
    scene.grow(_lived)
    _faulty(monkeypatch, "journal_to_hot", lambda _view, decided: decided._replace(spans=lie(decided.spans)))
    _refused(scene, ["of the journal"])


def test_a_secret_that_comes_through(scene, monkeypatch):
    """A step that would write a secret is refused as one, whatever else is right."""
    scene.grow(_lived)
    monkeypatch.setenv("MY_API_KEY", "c0rrect-Horse7-batteryStaple")
    scene.add("note", "horse7 c0rrect batteryStaple")

    def spoil(_view, decided):
        return decided._replace(
            writes={**decided.writes, paths.CONTEXT: decided.writes[paths.CONTEXT] + "\nc0rrect-Horse7-batteryStaple\n"}
        )

    _faulty(monkeypatch, "journal_to_hot", spoil)
    _refused(scene, ["secret"], SecretError)


def test_the_account_adds_up(scene):
    """The account of an honest step covers every character of the journal once."""
    scene.grow(_lived)
    (step,) = [one.decided for one in scene.sleep().steps if one.decided.step == "journal to hot"]
    path = scene.view.path_of(scene.view.cycles[-1].instance)
    assert step.spans[0].start == 0
    assert [one.start for one in step.spans[1:]] == [one.end for one in step.spans[:-1]]
    assert step.spans[-1].end == len(scene.text(path))
    assert all(one.detail for one in step.spans if one.fate in ("dropped", "merged"))
