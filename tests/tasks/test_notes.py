"""`note` and `decide` write what `journal.add` writes, from one plain word."""

from __future__ import annotations

import pytest

from sleep.documents import paths
from sleep.records import kinds


def test_a_note(scene, facts):
    """`note "..."` is a note in the open journal, and `--json` says where."""
    made = facts("note", "The importer reads dates as UTC")
    (entry,) = scene.view.journal(made["path"]).entries
    assert (str(entry.address), entry.kind, entry.title) == (made["address"], "note", "The importer reads dates as UTC")


def test_a_decision(scene, run):
    """`decide "..." --why "..."` is a decision with its number and all that it was given, and is asked for the rest."""
    code, out, err = run("decide", "Use flock", "--why", "no server", "--alternative", "a pid", "--alternative", "none")
    assert (code, err) == (0, "")
    assert out.startswith("D-001 [")
    assert "not given: confidence, revisit when" in out
    (entry,) = scene.view.journal("journal/instance-1.md").entries
    assert dict(entry.fields) == {"why": "no server", "alternatives": "a pid; none"}


@pytest.mark.parametrize("words", [("decide", "Use flock"), ("journal.add", "--kind", "change", "--text", "Use flock")])
def test_a_name_that_moves_is_stored_as_the_commit_it_names(scene, run, words):
    """`--commit HEAD` stores the id of that commit; an id, a tag and what names no commit stay as given."""
    head = scene.git("rev-parse", "HEAD").strip()
    scene.git("tag", "v1.2")
    for given in ("HEAD", head[:7], "0a1b2c3", "v1.2", "no such branch"):
        assert run(*words, "--commit", given)[0] == 0
    entries = scene.view.journal("journal/instance-1.md").entries
    assert [entry.field("commit") for entry in entries] == [head[:12], head[:7], "0a1b2c3", "v1.2", "no such branch"]


NEAR = "read N marks the item as read, and unread N takes that back"


@pytest.mark.parametrize(
    ("kind", "new", "command"),
    [
        ("decision", NEAR, 'sleepwake decision.supersede D-001 --by D-002 --why "..."'),
        ("constraint", NEAR, "sleepwake constraint.lift i1"),
        ("decision", "list shows the newest item first", ""),
        ("constraint", "read the manual", ""),
    ],
)
def test_what_may_take_the_place_of_another_says_how(scene, run, facts, kind, new, command):
    """A new choice or rule near to one that holds: both hold, and the command that closes the other is said."""
    scene.open()
    old = scene.add(kind, "read N marks the item as read, for now")
    out = run("journal.add", "--kind", kind, "--text", new)[1]
    assert ("if this takes its place: " + command in out) == bool(command)
    assert len(facts(f"{kind}.list")) == 2
    assert ((old.number or str(old.address)) in out) == bool(command)


@pytest.mark.parametrize("kind", ["decision", "constraint"])
@pytest.mark.parametrize(("source", "more"), [("", ("--standing", "noticed")), ("person", ())])
def test_what_may_not_take_the_place_of_another_offers_no_command(scene, run, kind, source, more):
    """What was only noticed has no number and closes nothing, and an agent's words close no person's."""
    scene.open()
    scene.add(kind, "read N marks the item as read, for now", source=source)
    assert "is near to it" not in run("journal.add", "--kind", kind, "--text", NEAR, *more)[1]


@pytest.mark.parametrize("kind", ["decision", "constraint", "task", "dead end", "note"])
def test_whose_word_an_entry_is(scene, run, facts, kind):
    """`--said-by person` states an entry as the person's word, and wherever it is shown it says so."""
    made = facts("journal.add", "--kind", kind, "--text", "Print the labels with the old printer", "--said-by=person")
    facts("note", "The agent measured the paper")
    entry, other = scene.view.journal(made["path"]).entries
    assert (entry.source, entry.fragment_kind, other.source) == ("person", kind, "")
    assert "said by a person" in run("trace", made["address"])[1].partition("\n")[0]
    assert "said by" not in run("trace", str(other.address))[1].partition("\n")[0]
    assert ("Print the labels with the old printer (person)" in run("snapshot")[1]) == (kind != "note")
    run("sleep")
    assert ("  - source: person" in "".join(map(scene.text, paths.HOT))) == (kind != "note")


@pytest.mark.parametrize("name", ["note", "decide"])
def test_the_short_forms_say_whose_word_it_is(scene, run, name):
    """`note` and `decide` take `--said-by` too, and only who can be told apart from a document or a tool."""
    assert run(name, "Print the labels", "--said-by=person")[0] == 0
    code, _, err = run(name, "Print the labels", "--said-by=Mara")
    assert (code, "--said-by is person or agent, not 'Mara' (a name belongs into" in err) == (2, True)
    assert [entry.source for entry in scene.view.journal("journal/instance-1.md").entries] == ["person"]


def test_a_persons_choice_is_not_closed_by_an_agents(run):
    """A decision that is a person's word is superseded in so many words by a person's, and only offered by others."""
    run("decide", "Store plans in SQLite", "--why", "months get slow", "--said-by=person")
    assert "holds no more" not in run("decide", "Keep plans in JSON, not SQLite", "--why", "smaller")[1]
    assert (
        "D-001 holds no more" in run("decide", "Keep plans in CSV, not SQLite", "-w", "smaller", "--said-by=person")[1]
    )


@pytest.mark.parametrize(
    ("words", "asks"),
    [(("journal.open",), True), (("note", "x"), True), (("journal.add", "--kind=tone", "-t=x"), False)],
)
def test_a_journal_that_no_wake_opened_asks_for_the_tone(scene, run, words, asks):
    """Whatever opens it, a journal begins with the last tone, and its instance is asked how it starts from it, once."""
    question = "Say in your own words how you start from it: `sleepwake journal.add --kind tone"
    for command in (("journal.open",), ("note", "first")):
        code, out, err = run(*command)
        assert (code, question in out, err) == (0, False, "")  # nobody was there before
    scene.add("tone", "calm at the end")
    scene.sleep()
    assert (question in run(*words)[1]) == asks
    first, *others = scene.view.journal("journal/instance-2.md").entries
    assert "It closed with: calm at the end" in first.body
    assert question in first.body
    assert len(others) == (words[0] != "journal.open")
    assert question not in run("note", "another")[1]
    assert "calm" not in "".join(entry.body for entry in scene.view.journal("journal/instance-2.md").entries[1:])


@pytest.mark.parametrize("words", [("note",), ("decide", "--why", "because")])
def test_the_text_is_whatever_it_is(scene, run, words):
    """A text may begin with a dash, be several lines, and come by standard input."""
    name, *rest = words
    texts = ("-n is a flag", "- a list", "--why not?", "a = b")
    for text in texts:
        assert run(name, text, *rest)[0] == 0
    assert run(name, "-", *rest, stdin="Heading\n\nbody $x\n")[0] == 0
    entries = scene.view.journal("journal/instance-1.md").entries
    assert [entry.title for entry in entries] == ["-n is a flag", "- a list", "--why not?", "a = b", "Heading"]
    assert entries[-1].body.strip() == "body $x"


def test_a_text_without_quotes(scene, run):
    """Several plain words are refused with the line in quotes: the rest of an unquoted `--why` would be text."""
    for words in (("note", "use", "flock"), ("decide", "use", "flock", "--why", "no", "server")):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert "takes one text, in quotes (would be right: sleepwake " in err
    assert "sleepwake note 'use flock'" in run("note", "use", "flock")[2]
    assert scene.view.journals == ()


def test_no_text(scene, run):
    """Without a text nothing is written, and the help is named."""
    for name in ("note", "decide"):
        code, out, err = run(name)
        assert (code, out) == (2, "")
        assert f"Hint: sleepwake {name} --help" in err
        assert run(name, "")[0] == 2
    assert scene.view.journals == ()


def test_their_help_teaches(run):
    """The help shows an example, and where to go for what the short form has not."""
    assert 'sleepwake note "' in run("note", "--help")[1]
    assert "journal.add --kind" in " ".join(run("note", "--help")[1].split())
    out = run("decide", "--help")[1]
    assert '--why "no server is needed"' in " ".join(out.split())
    assert "decision.supersede" in out


@pytest.mark.parametrize("words", [("note", "x"), ("decide", "x"), ("journal.add", "--text=x")], ids=" ".join)
def test_a_thread_that_is_not_there(scene, run, words):
    """An entry that names a thread which nobody opened is refused, and nothing is written."""
    run("thread.open", "--text", "the lock")
    before = scene.everything()
    code, out, err = run(*words, "--thread=T-999")
    assert (code, out) == (2, "")
    assert "there is no thread 'T-999'" in err
    assert scene.everything() == before
    assert run(*words, "--thread=T-001")[0] == 0


def test_a_decision_says_whose_place_it_takes(scene, run, facts):
    """Who decides otherwise in so many words is told which decision holds no more, in words and in JSON."""
    run("decide", "Store plans in SQLite", "--why", "months get slow")
    code, out, _ = run("decide", "Keep plans in JSON, not SQLite", "--why", "the manager edits them")
    assert code == 0
    assert "D-001 holds no more: this takes its place" in out
    assert facts("decide", "Keep plans in CSV, not JSON", "--why", "it opens at once")["closes"] == "D-002"


@pytest.mark.parametrize(
    ("words", "line"),
    [((), "- next priority: mend it\n"), (("--field", "next_priority=call Ann"), "- next priority: call Ann\n")],
)
def test_what_comes_next_in_a_handoff(scene, facts, words, line):
    """`--next` of a handoff is its next priority, and no word of it is lost where `--field` gives another."""
    made = facts("journal.add", "--kind", "handoff", "--text", "The printer waits", "--next", "mend it", *words)
    text = scene.text(made["path"])
    assert line in text
    assert "mend it" in text


def test_an_entry_is_shown_whole_by_its_address(scene, run, facts):
    """`journal.show ADDRESS` prints one entry as it stands, with its fields; one that nothing has is refused."""
    scene.open()
    made = scene.add("decision", "Use flock for the lock", why="no server")
    scene.add("note", "another")
    code, out, _ = run("journal.show", str(made.address))
    assert (code, out) == (0, f"## Decision: Use flock for the lock [{made.address} D-001]\n\n- why: no server\n")
    assert [entry["number"] for entry in facts("journal.show", f"[{made.address}]")["entries"]] == ["D-001"]
    whole = facts("journal.show", str(made.address), "--kind=note")["entries"]
    assert [entry["number"] for entry in whole] == ["D-001"]  # it names one entry, whatever its kind
    for name in ("1", str(made.address.instance)):
        assert run("journal.show", name)[1].startswith("journal/instance-1.md: ")
    assert run("journal.show", "i9zzz")[2].startswith("there is no instance i9zzz")
    code, out, err = run("journal.show", f"{made.address}9")
    assert (code, out) == (2, "")
    assert err.startswith("no entry has the address ")


def test_the_help_names_the_fields_of_every_kind(run):
    """The help of `journal.add` names each field that no option gives, with its kind: a handoff has five."""
    out = " ".join(run("journal.add", "--help")[1].split())
    for kind in kinds.ENTRIES.values():
        for field in kind.fields:
            option = "alternative" if field == "alternatives" else field.replace(" ", "-")
            assert f"--{option}=" in out or field in out.partition("names: ")[2].partition(" -i ")[0], (
                kind.name,
                field,
            )
    assert "handoff: session summary, next priority, open risk, emotional register, for my successor" in out


def test_a_handoff_is_asked_for_its_fields(run):
    """Who hands over is told which fields were not given; the text is the one for the successor."""
    out = run("journal.add", "--kind", "handoff", "--text", "All four commands work", "--next", "try https")[1]
    assert "not given: session summary, open risk, emotional register\n" in out
