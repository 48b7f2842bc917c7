"""What a person types, and the answer they read."""

from __future__ import annotations

import pytest
from scene import Scene
from several import two_logs

from sleep.errors import UsageError
from sleep.language import tokens
from sleep.recall import query
from sleep.recall.lists import list_lines
from sleep.recall.passages import Passage, PassageLine, Result
from sleep.recall.query import Query
from sleep.tasks import collection

TODAY = "2031-01-01"


@pytest.fixture(scope="module")
def scene(tmp_path_factory, own):
    """Return a memory of two cycles, and a third instance whose journal is open."""
    scene = Scene(tmp_path_factory.mktemp("asked") / "project")
    scene.open()
    scene.add("decision", "The cache is stored in Redis", why="it outlives a worker", alternatives="a dictionary")
    scene.add("question", "Who pays for the zeppelin?")
    scene.sleep()
    scene.open()
    scene.add("decision", "The cache is stored in SQLite", why="Redis is one server more", alternatives="Redis")
    scene.move("decision", "D-001", "superseded", by="D-002")
    scene.sleep()
    scene.open()
    scene.add("note", "The walrus sleeps under the pier")
    scene.move("question", "Q-001", "answered", "the harbour does")
    return scene


@pytest.fixture
def ask(scene):
    """Return a function that asks a question and returns the answer."""

    def ask(*words):
        values = collection.find("recall").read(words).values
        lists = {name: tuple(values.pop(name, ())) for name in ("tier", "kind")}
        return query.answer(
            scene.place.root, Query(whole_past=values.pop("ever", False), **values, **lists), today=TODAY
        )

    return ask


def test_a_passage_says_where_when_and_why(ask):
    """An answer has the address, the day, the tiers and the words in common, and what became of a decision."""
    text = ask("where is the cache stored").text
    assert "D-001" not in text.partition("\n")[0]
    head = next(line for line in text.splitlines() if line.startswith("i2"))
    assert "21 November 2026 · journal" in head
    assert "matches cache, stored" in head
    assert "hot" in head
    old = next(line for line in text.splitlines() if "in Redis" in line)
    assert "(superseded" in old


def test_what_is_not_committed_is_found(ask):
    """The journal that is open is asked too."""
    assert "pier" in ask("walrus").text


def test_nothing_fits(ask):
    """A question that nothing answers is told so, with what to try; nothing else is printed, unless it is asked for."""
    found = ask("What did Zacharias buy in Oslo?")
    assert found.text.startswith("Nothing in this memory fits: it has nothing on ")
    assert "--ever" in found.text
    assert found.plain()["nothing"]
    assert found.plain()["passages"] == []
    assert ask("quantum chromodynamics of the cache and its gluons", "--least").result.passages
    limited = ask("walrus", "--tier", "hot,cold", "--since", "2030-12")
    assert "hot, cold only" in limited.text.replace("hot,cold", "hot, cold")
    assert "since 2030-12" in limited.text


@pytest.mark.parametrize("budget", [100, 150, 400, 2_000])
def test_the_budget_holds_for_all(ask, budget):
    """Headings, reasons and notes cost tokens of the budget too."""
    found = ask("who decided where the cache is stored, and the zeppelin", "--budget", str(budget), "--at", "cycle 2")
    assert tokens.count(found.text) <= budget
    assert found.result.passages


def test_a_passage_is_cut_at_its_ends():
    """What does not fit is taken from the ends of a passage: it is not torn, and the line it was found for stays."""
    words = "several words that take some tokens of the budget"
    scores = (3.0, 1.0, 9.0, 2.0, 3.5)
    lines = [
        PassageLine((0, at), f"{words} {at}", (f"i1abc.{at}",), "journal/instance-1.md", "journal", "note", "", score)
        for at, score in enumerate(scores, 1)
    ]
    answer = query.Answer(Result("x", (Passage(tuple(lines)),)), 70)
    shown = [int(row.strip()[1]) for row in answer.text.splitlines() if row.strip().startswith(".")]
    assert shown == [3, 4, 5]
    assert "(2 more lines did not fit the budget of 70 tokens)" in answer.text


def test_a_person_is_named_on_the_own_lines_where_others_speak():
    """Of a passage that a person and an agent said, each line of the person says so, and the head names the agent."""
    said = (("person", "May we drop it?"), ("agent", "The walrus needs it."), ("agent", "It stays."))
    lines = tuple(
        PassageLine((0, at), text, (f"i1abc.{at}",), "a.md", "journal", "note", "", 9.0 - at, source=source)
        for at, (source, text) in enumerate(said, 1)
    )
    head, *shown = query.Answer(Result("x", (Passage(lines),)), 2_000).text.split("\n")
    assert (head.count("said by an agent"), head.count("a person")) == (1, 0)
    assert shown == ["  .1 May we drop it? (said by a person)", "  .2 The walrus needs it.", "  .3 It stays."]


@pytest.mark.parametrize(
    ("text", "terms", "why"),
    [
        ("see [the plan](0003-plan.md), it is short", ("3",), ("0003-plan.md",)),
        ("今天修复了登录的错误，因为会话过期太早。", ("会话", "话过", "过期", "登录"), ("会话过期", "登录")),
        ("`CartService.add_item()` waits", ("cart", "item", "wait"), ("cartservice.add_item", "waits")),
        ("nothing", ("its day",), ("its day",)),
        ("30+ days", ("its day",), ("its day",)),
    ],
)
def test_why_names_the_words_as_they_stand_there(text, terms, why):
    """A word of a link comes without the link, a script without spaces by what was asked, a day by saying so."""
    line = PassageLine((0, 0), text, ("i1abc.1",), "journal/instance-1.md", "journal", "note", "", 1.0, terms)
    answer = query.Answer(Result("x", (Passage((line,)),)), 2_000)
    assert f"matches {', '.join(why)}\n" in answer.text
    assert answer.plain()["passages"][0]["why"] == list(why)


def test_what_was_asked_for_by_name_comes_alone(ask, scene):
    """An address finds its entry and nothing that only resembles its letters."""
    address = str(scene.view.records[next(iter(scene.view.records))].fragment.identity)
    found = ask(address)
    assert [one.address for one in found.result.passages] == [address]
    assert "asked for by name" in found.text


def test_a_record_that_is_asked_for_by_name_says_that_it_holds(tmp_path, own):
    """Who asks for a record by its number reads its state even where nothing became of it."""
    scene = Scene(tmp_path / "project")
    scene.open()
    scene.add("thread", "Lay the cable to the pier")
    root = scene.place.root
    assert "Lay the cable to the pier (active)" in query.answer(root, Query("T-001")).text
    assert "(active)" not in query.answer(root, Query("the cable to the pier")).text
    assert "other words" not in query.answer(root, Query("T-009")).text
    assert "Ask again in other words" in query.answer(root, Query("zeppelin")).text


def test_limits(ask):
    """Tiers, kinds and a first day narrow what is found."""
    assert {one["tier"] for one in ask("cache", "--tier", "hot").plain()["passages"]} == {"hot"}
    assert {one["kind"] for one in ask("cache zeppelin", "-k", "question").plain()["passages"]} == {"question"}
    assert ask("walrus", "--since", "2026-11-21").result.passages
    assert not ask("walrus", "--since", "2026-11-22").result.passages


def test_at_a_moment_of_the_past(ask, scene):
    """An answer of the past knows what was known then and no more, and says which commit it is of."""
    before = scene.everything()
    then = ask("where is the cache stored", "--at", "cycle 1")
    assert then.text.startswith(f"What was known as of commit {then.at.sha[:7]}, ")
    assert "the end of cycle 1 of i1" in then.text
    assert "in Redis" in then.text
    assert "SQLite" not in then.text
    assert "superseded" not in then.text
    assert then.plain()["at"]["commit"] == then.at.sha
    assert not ask("walrus", "--at", "HEAD").result.passages
    assert "in SQLite" in ask("where is the cache stored", "--at", "instance 2").text
    assert "as of now (2040 is not over yet)" in ask("walrus", "--at", "2040").text
    assert scene.everything() == before


def test_the_past_is_asked_in_memory(ask):
    """After a question about the past, the index on disk is still of what is there now."""
    ask("cache", "--at", "cycle 1")
    assert "pier" in ask("walrus").text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["x", "--tier", "tepid"], "there is no tier 'tepid'"),
        (["x", "--kind", "whim"], "there is no kind 'whim'"),
        (["x", "--budget", "lots"], "--budget is 'lots'"),
        (["x", "--budget", "99"], "from 100"),
        (["x", "--since", "soon"], "is no day"),
        (["x", "--at", "never"], "no moment is called 'never'"),
        (["x", "--at", "HEAD", "--ever"], "--at asks one moment"),
        (["  "], "there is no question"),
    ],
)
def test_options_that_are_off(ask, words, says):
    """An option that cannot be taken is named, with what would be right."""
    with pytest.raises(UsageError, match=says):
        ask(*words)


def test_a_slip_of_the_pen_is_said(ask):
    """A word that was read as another one is named."""
    found = ask("who pays for the zepelin")
    assert "“zepelin” was read as “zeppelin”." in found.text
    assert found.plain()["corrected"] == {"zepelin": "zeppelin"}


def _of_tier(row, text, addresses, why=(), tier="cold", score=1.0):
    return PassageLine((1, row), text, addresses, f"memory/{tier}/x.md", tier, "task", "2030-01-01", score, why)


def test_in_a_tier_a_passage_is_of_one_instance(monkeypatch, ask):
    """What stands beside a line in a tier, of another day, is no part of its passage, and left out if nothing fits."""
    lines = (
        _of_tier(1, "the fig tree", ("i1abc.2",)),
        _of_tier(2, "a walrus hatched", ("i4abc.7",), ("walrus",), score=2.0),
        _of_tier(3, "on the pier", ("i4abc.9",)),
        _of_tier(4, "a later walrus", ("i9abc.1", "i9abc.8"), ("walrus",), score=3.0),
        _of_tier(5, "the plum tree", ("i12abc.1",)),
    )
    monkeypatch.setattr(query.search, "recall", lambda *_, **__: Result("walrus", (Passage(lines),)))
    answer = ask("walrus")
    assert [(one.address, [line.text for line in one.lines]) for one in answer.result.passages] == [
        ("i9abc.1 i9abc.8", ["a later walrus"]),
        ("i4abc.7-9", ["a walrus hatched", "on the pier"]),
    ]
    assert [len(one.lines) for one in ask("walrus", "--least").result.passages] == [1, 2, 1, 1]


def test_in_a_journal_what_stands_together_is_a_passage(monkeypatch, ask):
    """A passage of a page or journal stays whole, also where its entries have no addresses."""
    lines = (
        _of_tier(1, "one", (), ("walrus",), "main"),
        _of_tier(2, "two", ("i4abc.7",), (), "main"),
        _of_tier(3, "three", (), (), "main"),
    )
    monkeypatch.setattr(query.search, "recall", lambda *_, **__: Result("walrus", (Passage(lines),)))
    assert [len(one.lines) for one in ask("walrus").result.passages] == [3]


def test_a_move_is_told_once(ask):
    """An entry that moves a record says in one line which and to what, then what that record says, and why."""
    text = ask("zeppelin pays harbour").text
    event = text[text.index("Question event:") :].splitlines()
    assert event[0] == "Question event: Q-001 answered"
    assert event[1:3] == ["    record: Who pays for the zeppelin?", "    reason: the harbour does"]
    assert "Q-001 answered (" not in text
    assert "to: answered" not in text


def test_a_record_that_is_asked_for_needs_no_word_of_the_question(monkeypatch, ask):
    """What the question's list has is shown beside what has its words: a heading said what it is about."""
    record, near = (
        PassageLine((number, 1), text, (f"i{number}abc.1",), "journal/a.md", "journal", "", "", score, why)
        for number, text, score, why in ((1, "Answer in JSON", list_lines.LEAST, ()), (2, "Outputs", 1.0, ("outputs",)))
    )
    both = tuple(Passage((line,)) for line in (record, near))
    monkeypatch.setattr(query.search, "recall", lambda *_, **__: Result("decisions about outputs", both))
    assert ask("decisions about outputs").result.passages == both


def test_a_project_is_asked_alone(tmp_path):
    """`--project` answers from the memory of one project; a name that is none, and `--ever` beside it, are refused."""
    scene = Scene(tmp_path / "project")
    for path, text in two_logs().texts.items():
        if path.startswith("journal/"):
            scene.write(path, text)
    root = scene.place.root
    text = query.answer(root, Query("what is next?", project="Ship")).text
    assert "Ship: paint plank 3" in text
    assert "Tower" not in text
    nothing = query.answer(root, Query("plaster the storey", project="ship")).text
    assert "in the project ship only" in nothing
    with pytest.raises(UsageError, match="no project 'boat'"):
        query.answer(root, Query("what is next?", project="boat"))
    with pytest.raises(UsageError, match="--project and --ever"):
        query.answer(root, Query("what is next?", project="ship", whole_past=True))
