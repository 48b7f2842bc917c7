"""Recognition: what of messages the model of speech acts looks at, and how much it may find."""

from __future__ import annotations

import pytest

from sleep.compression import message_units, recognition
from sleep.language.acts import statements
from sleep.language.acts.likelihood import scorer
from sleep.language.acts.likelihood.scorer import Guess
from sleep.transcripts.events import Event


def read(text, role="agent"):
    """Return what is looked at of a message."""
    return [sentence for _, sentence in recognition.sentences(list(message_units.read(text, role)), role)]


def test_sentences_items_and_rows_of_tables_are_looked_at():
    """Each has the headings above it, the line or columns that lead it, and its place."""
    text = "## Design\n\nWe chose:\n\n- flock for locks\n\n| what | why |\n| --- | --- |\n| `a.py` | it was slow |\n"
    sentences = read(text)
    assert [(one.text, one.sort, one.lead) for one in sentences] == [
        ("We chose:", "sentence", ""),
        ("flock for locks", "item", "We chose:"),
        ("`xxxx` | it was slow", "row", "what | why"),
    ]
    assert {one.above for one in sentences} == {("Design",)}


def test_somebody_elses_words_are_not_looked_at():
    """Quotations, tags, what a page says, and a document that a person pasted are nobody's records."""
    assert read("> We decided to use Redis for it.") == []
    assert read("<document>\nWe decided to use Redis for it.\n</document>") == []
    assert read("According to the README we decided to use Redis. It is fast enough.") == []
    assert read("## Notes\n\nWe decided to use Redis for it.", "person") == []


def test_the_neighbours_of_a_sentence_are_known():
    """The sentence before it, also of another paragraph, and the next of its own paragraph."""
    first, second, third = read("One is here. Two is here.\n\nThree is here.")
    assert (first.after, second.before, second.after, third.before) == (
        "Two is here.",
        "One is here.",
        "",
        "Two is here.",
    )


@pytest.mark.parametrize(("kind", "most"), [("decision", recognition.RECORDS), ("insight", recognition.PROSE)])
def test_only_the_likeliest_few_are_found(monkeypatch, kind, most):
    """However much the model finds in a conversation, a few records and a few insights are taken: the likeliest."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess(kind, 1 + len(one.text) / 100))
    texts = [f"The sentence has the number {'x' * number}." for number in range(1, 12)]
    found = recognition.find([Event("agent", "text", text, line=line) for line, text in enumerate(texts, 1)])
    assert [(one.text, one.line, one.notices) for one in found] == [
        (text, line, kind) for line, text in enumerate(texts, 1) if text in texts[-most:]
    ]


def test_what_is_stated_or_settled_is_not_found(monkeypatch):
    """What a form states, what was refused, answered or done, is none of what the model may find."""
    for kind in ("decision", "question", "task"):
        monkeypatch.setattr(scorer, "guess", lambda _, kind=kind: Guess(kind, 1.0))
        said = {
            "decision": ("The queue is Redis now.", "no, don't"),
            "question": ("Nobody knows whether the cache is shared.", "The cache is per process."),
            "task": ("The changelog of the release has to be written.", "ok"),
        }[kind]
        later = Event("agent", "text", "Written and done: the changelog of the release.")
        events = [Event("agent", "text", said[0]), Event("person", "prompt", said[1]), later]
        assert said[0] in [one.text for one in recognition.find(events[:1])]
        assert said[0] not in [one.text for one in recognition.find(events)]
    assert recognition.find([Event("agent", "text", "I decided to use flock.")]) == []


def test_the_reason_of_what_is_found_stands_apart(monkeypatch):
    """`because` parts what was found from its reason."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 1.0))
    (found,) = recognition.find([Event("agent", "text", "The lock is `fcntl` because a fork keeps it.")])
    assert (found.text, found.why) == ("The lock is `fcntl`", "a fork keeps it.")


def test_a_reason_ends_with_its_sentence(monkeypatch):
    """What an item says behind the sentence with the reason is no part of it."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("decision", 1.0) if one.sort == "item" else None)
    text = "- Only one file is written to avoid a merge. If a person turns it off, a note is shown."
    (found,) = recognition.find([Event("person", "prompt", text)])
    assert (found.text, found.why) == ("Only one file is written", "to avoid a merge.")


def test_what_holds_for_the_moment_is_no_rule(monkeypatch):
    """`Never mind` and `I always forget` lay nothing down, however likely their words are."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("constraint", 2.0))
    said = (
        "Never mind, I fixed it myself.",
        "I always forget how it works.",
        "It is because I never do that.",
        "Names are short.",
    )
    found = recognition.find([Event("person", "prompt", text) for text in said])
    assert [one.text for one in found] == ["Names are short."]


@pytest.mark.parametrize(
    ("said", "text", "why"),
    [
        ("Let's keep one file. Otherwise a merge loses it.", "Let's keep one file.", "a merge loses it."),
        ("A merge loses lines. So we keep one file.", "So we keep one file.", "A merge loses lines."),
        ("A merge loses lines. We keep one file.", "We keep one file.", ""),
        ("Got it! So we keep one file.", "So we keep one file.", ""),
        ("You're absolutely right! So we keep one file.", "So we keep one file.", ""),
        (
            "We keep one file. It follows the layout of the cache.",
            "We keep one file.",
            "It follows the layout of the cache.",
        ),
    ],
)
def test_the_reason_of_what_is_found_may_stand_beside_it(monkeypatch, said, text, why):
    """The sentence after gives it, or the one before that it follows from; what merely stands there does not."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("decision", 1.0) if one.text == text else None)
    found = recognition.find([Event("agent", "text", said)])
    assert [(one.text, one.why) for one in found] == [(text, why)]


@pytest.mark.parametrize(
    "text",
    [
        "If you want, I can draw a chart of it instead.",
        "Let me know if you need further changes of the store!",
        "**Possible remedy:** pick the heads at the front instead.",
        "There are two possible solutions here: one file, or many.",
        "That is a matter of taste, so I didn't change it.",
        "Alternative: only the launchers write the file, and the reader computes it.",
        "I lean toward one file, because a merge loses rows of several.",
        "Keep one file or several, your call.",
        "My suggested answer to the question: one file for all rows.",
        "Added a formatter for questions instead of the raw block.",
        "Die Entscheidung zwischen beiden überlasse ich dir.",
        "Wenn du sagst, ob es rein lokal bleibt, kann ich dir die passende Architektur empfehlen.",
        "若要改标签的预设文案或配色，可以说明一下我帮你改一版。",
        "备选方案：每个读者一个文件，索引放在旁边。",
    ],
)
def test_what_is_only_offered_or_named_is_nothing(monkeypatch, text):
    """What an agent would do if it were asked, and a way that nobody took, are no choices."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 2.0))
    assert recognition.find([Event("agent", "text", text)]) == []


@pytest.mark.parametrize(
    ("lead", "is_one"),
    [
        ("If you want to silence it later, options are:", False),
        ("**Mitigation options to add to the plan:**", False),
        ("To match the other packages, you could:", False),
        ("What I changed in the plan:", True),
        ("New options of the command:", True),
        ("Options:", False),
        ("Where to go from here. Three realistic paths:", False),
        ("The writer knows two paths of files:", True),
        ("### Options", False),
        ("Design choices:", True),
        ("### Design choices", True),
        ("One reader of options:", True),
    ],
)
def test_one_of_several_ways_is_no_choice(monkeypatch, lead, is_one):
    """An item below a line that announces options is one of them: nobody took it."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("decision", 2.0) if one.sort == "item" else None)
    text = f"{lead}\n\n- Keep the old files beside the new ones.\n- Write the list of files last."
    assert bool(recognition.find([Event("agent", "text", text)])) == is_one


def test_the_reason_may_be_the_last_sentence_of_an_item(monkeypatch):
    """An item of several sentences gives its reason in its last one."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 2.0))
    (found,) = recognition.find(
        [Event("agent", "text", "- Rows go to one file. This should reduce the number of locks.")]
    )
    assert (found.text, found.why) == ("Rows go to one file.", "This should reduce the number of locks.")


@pytest.mark.parametrize(
    ("kind", "text", "is_one"),
    [
        ("decision", "I’m editing only the page of the reader now.", False),
        ("decision", "I’m editing only the page, because the store is shared by three readers.", True),
        ("decision", "First I will read the page, because the store is shared by three readers.", False),
        ("decision", "The page stays in one file of the reader.", True),
        ("blocker", "The branch cannot be merged until the checks of it are through.", False),
    ],
)
def test_what_passes_within_a_turn_is_not_noticed(monkeypatch, kind, text, is_one):
    """A move without a reason, and what kept an agent for a while, are over when it goes on in the same turn."""
    monkeypatch.setattr(scorer, "guess", lambda sentence: Guess(kind, 2.0) if sentence.text == text else None)
    at_work, end = Event("agent", "text", text, line=1), Event("agent", "text", "The reader is done.", line=2)
    assert bool(recognition.find([at_work, end])) is is_one
    assert recognition.find([at_work])
    assert recognition.find([at_work, Event("person", "prompt", "Go on, please.", line=3), end])


def test_the_choices_of_a_plan_are_noticed_once_it_is_agreed_to(monkeypatch):
    """A few of its choices and rules, and nothing else of it, in places of their own; nothing before a person's yes."""
    kinds = {"keep": "decision", "must": "constraint", "test": "task"}
    monkeypatch.setattr(
        scorer, "guess", lambda one: next((Guess(k, 2.0) for w, k in kinds.items() if w in one.text), None)
    )
    steps = ["Update the page to keep both rows.", "The reader is to be tested."]
    rows = ["We keep the rows in one file.", "Pages must stay static.", *steps]
    plan = Event("agent", "plan", "\n\n".join(f"- {row}" for row in rows))
    names = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove")[: recognition.RECORDS + 1]
    said = [Event("agent", "text", f"We keep the {name}.") for name in names]
    assert [one.text for one in recognition.find([plan])] == rows[:2]
    assert len(recognition.find([plan, *said])) == recognition.RECORDS + 2
    assert recognition.find([plan._replace(ok=False)]) == []
    many = Event("agent", "plan", "\n".join(f"- We keep the {name}." for name in names))
    assert len(recognition.find([many])) == recognition.PLANS


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("I'll keep the rows in one file rather than in a folder.", True),
        ("I'll keep the rows in one file rather than in a folder, because a merge loses rows of several.", False),
        ("**Decision:** I'll keep the rows in one file rather than in a folder.", False),
    ],
)
def test_what_an_agent_only_means_to_do_is_noticed(text, is_one):
    """That it will do one thing rather than another states no choice without a reason or a label."""
    assert [one.notices for one in recognition.find([Event("agent", "text", text)])] == ["decision"] * is_one


@pytest.mark.parametrize(
    ("role", "kind", "text", "reply", "is_left"),
    [
        ("person", "task", "Erstelle bitte eine erste Struktur für das Werkzeug.", "Die Struktur steht nun.", False),
        ("person", "task", "The old flags of the parser have to go.", "I removed both flags of the parser.", False),
        ("person", "task", "v3 出来以后把那堆 feature flag 清一清", "Noted.", True),
        ("person", "task", "后面的 feature flag 要清一清", "我先看看解析器的代码。", True),
        ("person", "blocker", "Die Platinen stecken im Zoll fest.", "Dann baue ich erst den Simulator.", True),
        ("agent", "task", "Lediglich die Seite des Menüs wird dann erneuert.", "Was ist GraphQL?", False),
        ("agent", "blocker", "Interview 7 taucht in der Tabelle nicht auf.", "Das nehmen wir raus.", False),
        ("agent", "task", "Only the page of the menu is renewed afterwards.", "What is GraphQL?", True),
    ],
)
def test_the_work_of_a_turn_is_not_left(monkeypatch, role, kind, text, reply, is_left):
    """What a person asks for is the next turn's work; what an agent leaves stands at the end, in other languages."""
    monkeypatch.setattr(scorer, "guess", lambda sentence: Guess(kind, 2.0) if sentence.text == text else None)
    said = Event(role, "prompt" if role == "person" else "text", text, line=1)
    other = Event("agent", "text", reply) if role == "person" else Event("person", "prompt", reply)
    assert bool(recognition.find([said, other._replace(line=2)])) is is_left
    assert recognition.find([said])


@pytest.mark.parametrize(
    ("said", "is_told"),
    [("Names of pages are long. This must never change.", True), ("This must never change.", False)],
)
def test_a_rule_that_leans_is_told_with_what_it_leans_on(monkeypatch, said, is_told):
    """What a rule takes up stands with it, or it is none."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("constraint", 2.0) if "must" in one.text else None)
    monkeypatch.setattr(statements, "state", lambda *_, **__: None)
    found = recognition.find([Event("person", "prompt", said)])
    assert [one.text for one in found] == ([said] if is_told else [])


def test_a_question_is_no_reason(monkeypatch):
    """What somebody asks beside a choice does not say why it was made."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 2.0))
    (found,) = recognition.find([Event("person", "prompt", "The rows come first, because they stand in order, right?")])
    assert not found.why


@pytest.mark.parametrize(
    "text",
    [
        "Reports should be sorted by the day of their last row.",
        "i think the call of the model needs to be configurable",
        "and we no longer need the second folder of runs",
        "But we would want to include every source of a session.",
        "I think for now we should continue to write both of the files.",
        "i think if they are there we would want the skills of the folder too",
        "Let's also add a field for what is left open.",
        "I think B) is fine, let's write it to the second file.",
        "actually i want to do this with a yaml or json",
        "I'd like the card of a page to carry the name of its owner",
        "I also want the old commands of the host to stay as they are",
        "There will be two pages, one for owners and another for guests.",
        "The kit will be a set of samples that tracks are made of.",
        "ok, go with no license file right now",
        "Die Berichte sollten nach dem Tag der letzten Zeile sortiert sein.",
        "Ich finde, wir sollten weiterhin beide Dateien schreiben.",
        "Wir brauchen den zweiten Ordner nicht mehr.",
        "报告应该按最后一行的日期排序",
        "我觉得我们应该继续写两个文件",
        "我们不再需要第二个目录",
    ],
)
def test_a_person_who_says_how_a_thing_should_be_chooses(text):
    """A requirement is a choice of the person's, whatever the model knows of its words; it is only noticed."""
    (found,) = recognition.find([Event("person", "prompt", text)])
    assert (found.text, found.notices) == (text, "decision")
    assert "decision" not in {one.notices for one in recognition.find([Event("agent", "text", text)])}


@pytest.mark.parametrize(
    "text",
    [
        "We should check the log of the last run first.",
        "we need to fix the conflicts of the merge",
        "You should read the second file before that.",
        "Should we close it as resolved by the other two",
        "The button must be blue on the settings page.",
        "It should work now that the row is gone.",
        "Tell me where the name should be written.",
        "let's check the log of the last run",
        "the command works and let's me go to that state",
        "Lint seems fine; let's commit this and go on.",
        "let's design and build a system for the stock of a shop",
        "Okay, let's focus on the step of the sources.",
        "I want you to look at the log of the last run",
        "I want to see the log of the last run",
        "I need the logs of the server to find the cause of it.",
        "i need your help to find the row that is gone",
        "I like the option to undo a step of the run",
        "The job will return an error if the row is gone.",
        "There will be a problem with the old rows.",
        "There will be a demo for the board on Friday.",
        "go with the best option",
        "Wir sollten das erst einmal prüfen.",
        "Es sollte jetzt funktionieren.",
        "Sollen die Seiten nach dem Tag sortiert werden",
        "现在应该可以了",
        "我们应该先检查一下日志",
        "我们应该用哪个目录呢",
    ],
)
def test_what_a_person_wants_to_be_done_or_known_is_no_requirement(text):
    """A chore, a hope and a question say nothing of how a thing should be."""
    assert recognition.find([Event("person", "prompt", text)]) == []


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("The rows are sorted by day instead, can we do the same for the pages?", False),
        ("do we plan to keep the old rows or is this their end", False),
        ("We keep the rows in order, day by day (could the pages follow them?)", True),
        ("Können wir die alten Zeilen behalten", False),
        ("能不能把旧的行留着", False),
    ],
)
def test_what_a_person_asks_is_no_choice(monkeypatch, text, is_one):
    """A request put as a question, and a question without its mark, choose nothing; one in brackets is aside."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 2.0))
    assert [one.text for one in recognition.find([Event("person", "prompt", text)])] == ([text] if is_one else [])


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("How different is this page from what the first one wrote?", False),
        ("Do we need to keep the old rows of the page?", True),
        ("What is the best way to hand the pages over?", True),
        ("Wo liegt die Datei mit den alten Zeilen?", True),
    ],
)
def test_a_person_asks_what_shall_be_or_the_agent_looks_it_up(monkeypatch, text, is_told):
    """A question of a person's stays open where it is about what shall be; how things are the agent looks up."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("question", 2.0))
    assert [one.text for one in recognition.find([Event("person", "prompt", text)])] == ([text] if is_told else [])


def test_a_plan_that_is_reported_later_is_one_record(monkeypatch):
    """What another message says again, in three fifths of its terms, is not noticed twice, and makes no room."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 2.0))
    monkeypatch.setattr(recognition, "RECORDS", 2)
    said = [
        "Keep the phase field of the session state, the parent has a counter.",
        "We keep phase field and session state of ours; the parent has its counter.",
        "Pages are written by the launcher of the reader alone.",
    ]
    found = recognition.find([Event("person", "prompt", text) for text in said])
    assert [one.text for one in found] == said[:1]


def test_an_answer_that_a_dialogue_decides_by_is_not_noticed_too(monkeypatch):
    """The choice has the question and the answer; the answer alone would be told a second time."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 2.0))
    ask = "Which depth?\n\n1. Depth: how many commits of a branch do we look at?\n2. Order: are branches sorted?"
    reply = "1. we look at fifty commits of each branch and get the sessions that they link\n2. yes, by name"
    found = recognition.find([Event("agent", "text", ask), Event("person", "prompt", reply)])
    assert not [one for one in found if "fifty commits" in one.text]


@pytest.mark.parametrize("between", ["```text\nrows/day/\n```", "- rows\n- pages"])
def test_a_reason_may_stand_behind_the_code_or_the_list_that_a_choice_leads_to(monkeypatch, between):
    """What the sentence behind it says it is good for is the reason."""
    lead = "Rows go to a folder of their own:"
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("decision", 2.0) if one.text == lead else None)
    (found,) = recognition.find([Event("agent", "text", f"{lead}\n\n{between}\n\nThis keeps the index small.")])
    assert (found.text, found.why) == (lead, "This keeps the index small.")


@pytest.mark.parametrize(
    "text",
    [
        "Keep HEAD's `Phase` field, the parent has a counter",
        "Conflict 1: keep our phase transition code",
        "Merge both sides of the imports",
        "Take theirs for the lock file because it is generated",
        "We keep both imports of the reader",
        "The only weakness is that errors are swallowed in the loader",
        "One downside of this is the global lock",
    ],
)
def test_a_side_of_a_merge_and_a_verdict_are_no_choice(monkeypatch, text):
    """Which side is kept is over with the merge, and what is judged binds nobody, whatever the model takes it for."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("decision", 2.0))
    assert recognition.find([Event("agent", "text", text)]) == []


def test_a_verdict_is_no_task(monkeypatch):
    """Whoever hears of a weakness may mend it or not; what has to be done is left to do."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("task", 2.0))
    said = ["The main gap is the tests of the writer.", "The gap in the tests of the writer has to be closed."]
    assert [one.text for text in said for one in recognition.find([Event("agent", "text", text)])] == said[1:]


@pytest.mark.parametrize(
    ("text", "is_task"),
    [
        ("the docs can wait, first the flag", True),
        ("Refactoring the parser is for another PR.", True),
        ("let's do the index on user_id in a follow-up", True),
        ("Leave the old tests for later.", True),
        ("Das Umbenennen machen wir später.", True),
        ("改名的事以后再说，这次先不动", True),
        ("Tests can wait for the document here.", False),
        ("We can wait until the job ends.", False),
        ("The client can wait until the next poll.", False),
        ("Niemand hat Zeit.", False),
        ("The license is for another product.", False),
        ("Can the docs wait?", False),
        ("I'll ask Marta about the credit notes on Thursday", True),
        ("Ich schreibe die Doku am Wochenende", True),
        ("我周一问一下 Ana 许可证的事", True),
        ("I'll ask our lawyer about the cookie banner", True),
        ("Ich frage Frau Demir, ob der Export so bleiben soll", True),
        ("我去问一下运营能不能去掉这个弹窗", True),
        ("Ich frage mich, ob das geht.", False),
        ("I'll ask you if I need more.", False),
        ("I'll be back on Monday.", False),
        ("I'll never deploy on Friday again.", False),
        ("I'll need the report on Monday.", False),
        ("Ich weiß am Montag mehr.", False),
        ("我周一不在公司。", False),
        ("I'll ask her on Thursday.", False),
        ("I'll continue with the parser tomorrow.", False),
    ],
)
def test_what_a_person_leaves_for_another_time_is_a_task(text, is_task):
    """It is noticed in the person's words, whatever the model and the agent say; what waits for something is none."""
    found = recognition.find([Event("person", "prompt", text), Event("agent", "text", "I leave the export as it is.")])
    assert [one.text for one in found if one.notices == "task"] == [text] * is_task


@pytest.mark.parametrize(
    ("text", "is_dead"),
    [
        ("we already tried a redis lock, it blew up under load", True),
        ("I tried a DISTINCT last year, and it ran out of memory", True),
        ("Das habe ich schon probiert, es kam nur Unsinn raus", True),
        ("昨天试过升级，构建报错了", True),
        ("Redis 锁昨天试过，很好用", False),
        ("Den Redis Lock hab ich gestern probiert, funktioniert super", False),
        ("I tried the Redis lock yesterday, and it's much faster", False),
        ("My colleague tried to lengthen it to 26 s but that is the most and it still fires", True),
        ("npm tried to resolve the peers but it failed", False),
        ("The hook tried to commit, and it still refuses", False),
        ("I tried to run the tests but they fail with an ImportError", False),
        ("I have tried it in a fresh clone, but it still fails", False),
        ("I already tried it and now it works, the cache was broken", False),
    ],
)
def test_what_a_person_tried_earlier_in_vain_is_a_dead_end(text, is_dead):
    """An attempt of another day is one; what just failed is what the agent shall look into."""
    found = recognition.find([Event("person", "prompt", text)])
    assert bool([one for one in found if one.notices == "dead end"]) == is_dead


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        ("nah, not now. Let's stay on postgres, we know it", "decision", "Let's stay on postgres"),
        ("Yes, take sqlite, it is embedded. all prices have to go through money.py", "decision", "all prices"),
        ("nee lass mal. Zitate aus den Interviews nie sprachlich glätten, auch kein Ähm streichen", "constraint", "Z"),
    ],
)
def test_what_follows_a_yes_or_a_no_is_noticed(reply, kind, text):
    """The answer to what the agent put forward is told as such; what the person says behind it is no part of it."""
    put = "Reads would be faster. Should we use redis or sqlite? I can sketch it if you like."
    found = recognition.find([Event("agent", "text", put), Event("person", "prompt", reply)])
    assert [one.text[: len(text)] for one in found if one.notices == kind] == [text]


def test_a_rule_with_its_reason_is_no_mere_insight(monkeypatch):
    """What a person says has to be so is noticed as that, also where the model takes it for a thing that was learnt."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("insight", 2.0))
    said = "all randomness has to go through game/rng.gd, otherwise seeds differ"
    assert [one.notices for one in recognition.find([Event("person", "prompt", said)])] == ["decision"]


def test_a_rule_with_its_reason_beside_it_is_told_once_without_what_leads_to_it():
    """What only says that it must be so is the reason of the rule before it, and no second rule."""
    said = "Ach ja: direkte Zitate aus den Interviews nie sprachlich glätten. Das ist bei uns am Institut Pflicht."
    assert [(one.text, one.why) for one in recognition.find([Event("person", "prompt", said)])] == [
        ("direkte Zitate aus den Interviews nie sprachlich glätten.", "Das ist bei uns am Institut Pflicht.")
    ]


@pytest.mark.parametrize(
    "text",
    ["The lock of the store needs to be fixed.", "Docs of the reader: not yet updated", "Move the page - NOT DONE"],
)
def test_what_is_not_done_yet_is_still_a_task(monkeypatch, text):
    """A task that ends with the word for what is done, and says that it is not, is no report."""
    monkeypatch.setattr(scorer, "guess", lambda _: Guess("task", 2.0))
    (found,) = recognition.find([Event("agent", "text", text)])
    assert (found.text, found.notices) == (text, "task")


_DEEDS = (  # no task: a choice may be ticked, and what was changed in a plan is one
    "✅ The script knows both systems by itself",
    "I have changed the following:\n\n- Wrap the whole page in the provider of the bar",
    "我已经完成了以下修改：\n\n1. 用提供者包裹整个应用的页面",
)
_OFFERS = (
    "在 layout.tsx 中添加了整个应用的提供者",
    "There are a couple of ways to go about it:\n\n1. Use the own login of the service",
    "如果你希望仓库更规范，我可以帮你选一份许可证。",
    "Se vuoi, al prossimo passo ti preparo anche uno script di prova.",
    "Si tu veux, je peux aussi écrire la page des erreurs.",
    "Wenn du willst, kann ich auch die Seite der Fehler schreiben.",
    "Si quieres, también puedo escribir la página de los errores.",
    "Se quiser, posso escrever a página dos erros.",
    "Als je wilt, kan ik de pagina van de fouten schrijven.",
    "Если хотите, могу подготовить страницу ошибок.",
)


@pytest.mark.parametrize(
    ("kind", "text"), [*(("task", text) for text in (*_DEEDS, *_OFFERS)), *(("decision", text) for text in _OFFERS)]
)
def test_what_an_agent_did_or_offers_is_no_record(monkeypatch, kind, text):
    """A deed, an item below a lead of deeds, one of several ways and an offer are neither a task nor a choice."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess(kind, 2.0))
    found = [one.text for one in recognition.find([Event("agent", "text", text, line=1)])]
    assert [one for one in found if not one.endswith((":", "："))] == []
    assert recognition.find([Event("agent", "text", "Wrap the page in the provider.", line=1)]) != []


@pytest.mark.parametrize(
    ("text", "later", "is_open"),
    [
        ("Compare both lists row by row.", [("person", "Put the list below data and rename it.")], False),
        ("Compare both lists row by row.", [("agent", "Both lists have the same rows.")], False),
        ("Compare both lists row by row.", [("person", "thanks")], True),
        ("Compare both lists row by row.", [("person", "What is a row of the harbour?")], True),
        ("Compare both lists row by row.", [], True),
        (
            "The list still needs to be compared.",
            [("person", "Rename the data."), ("agent", "It has a new name.")],
            True,
        ),
    ],
)
def test_a_task_is_overtaken_where_its_turn_goes_on_or_a_person_replies(monkeypatch, text, later, is_open):
    """What an agent would do next is done or was not wanted, unless it says that it is left."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("task", 1) if "list" in one.text else None)
    said = [("agent", text), *later]
    found = recognition.find([Event(role, "text" if role == "agent" else "prompt", words) for role, words in said])
    assert any(one.notices == "task" and one.message == 0 for one in found) is is_open


def test_what_is_overtaken_makes_no_room_for_a_weaker_guess(monkeypatch):
    """A task that is none any more keeps its place among the few records of a conversation."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("task" if "row" in one.text else "decision", len(one.text)))
    rows = [f"Compare the rows of list {'x' * number} with care." for number in range(1, recognition.RECORDS + 1)]
    said = [Event("agent", "text", "\n\n".join(rows)), Event("person", "prompt", "Name the harbour.")]
    assert recognition.find(said) == []


def test_one_of_several_ways_is_no_task_below_a_chinese_lead(monkeypatch):
    """What stands below `更合理的放法通常有这几种：` is one of several ways."""
    monkeypatch.setattr(scorer, "guess", lambda one: Guess("task", 1) if "目录" in one.text else None)
    text = "更合理的放法通常有这几种：\n\n1. 单独建一个原始数据目录\n2. 放到数据目录"
    assert recognition.find([Event("agent", "text", text)]) == []
