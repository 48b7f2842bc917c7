"""Questions to a memory, and their answers."""

import pytest
from examples import share
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sleep.language import tokens
from sleep.recall import search
from sleep.recall.index import access
from sleep.recall.postings import Limits
from sleep.store.tree import InMemory


def journal(number, day, *lines):
    """Return a journal of ours with a line an entry."""
    rows = "\n".join(f"- {line} [i{number}abc.{at}]" for at, line in enumerate(lines, 1))
    return f"---\ninstance: {number}\ntag: abc\nstarted: {day}T09:00:00Z\n---\n# Journal: instance {number}\n\n{rows}\n"


TEXTS = {
    "journal/instance-1.md": journal(
        1,
        "2023-05-08",
        "**Ann:** I adopted a puppy from the shelter yesterday.",
        "**Bob:** What is its name?",
        "**Ann:** She is called Biscuit.",
        "**Bob:** My sister moved to Lisbon for her work in ceramics.",
    ),
    "journal/instance-2.md": journal(
        2,
        "2023-07-07",
        "**Ann:** The flood closed the old bridge.",
        "**Bob:** We use `src/store/lock.py` with flock and a timeout of 30 s.",
        "我们决定用压缩算法保存记忆。",
    ),
    "memory/warm/pets.md": "# pets\n\n## Notes\n\n- Ann adopted a puppy [i1abc.1]\n  - superseded by: i2abc.1\n",
    "memory/cold/gone.md": "# gone\n\n## Notes\n\n- The zeppelin was painted green. [i9gon.4]\n",
}


@pytest.fixture(scope="module")
def memory():
    """Return the index of a small memory."""
    return access.index_tree(InMemory(TEXTS))


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("Where did Ann adopt her dog?", "i1abc.1"),
        ("What was the adoption from the shelter?", "i1abc.1"),
        ("What did Ann say on 7 July, 2023?", "i2abc.1"),
        ("Where is the lock?", "i2abc.2"),
        ("src/store/lock.py", "i2abc.2"),
        ("压缩算法", "i2abc.3"),
        ("i1abc.4", "i1abc.4"),
        ("What is made in Lisbon, ceramcis?", "i1abc.4"),
        ("zeppelin", "i9gon.4"),
    ],
)
def test_the_best_line_is_the_answer(memory, asked, address):
    """Words, forms of words, dates, paths, other scripts, addresses and slips of the pen find their line."""
    assert search.recall(memory, asked).passages[0].best.addresses == (address,)


@pytest.mark.parametrize("asked", ["What did Zacharias buy in Oslo?", "quantum chromodynamics", "the", "", "!?"])
def test_nothing_is_said_where_nothing_fits(memory, asked):
    """A question that nothing answers gets no passage, and is told so."""
    found = search.recall(memory, asked)
    assert not found.passages
    assert found.text.startswith("Nothing in this memory fits")


def test_an_entry_comes_once_in_its_fullest_form(memory):
    """What a tier and a journal both have is shown from the journal, with the tier and what superseded it."""
    found = search.recall(memory, "Who adopted a puppy?")
    lines = [line for one in found.passages for line in one.lines if "i1abc.1" in line.addresses]
    assert [line.tier for line in lines] == ["journal"]
    assert lines[0].also == ("warm: memory/warm/pets.md",)
    assert lines[0].state == "superseded by i2abc.1"
    assert "puppi" in lines[0].why
    assert "superseded by i2abc.1" in found.text


def test_what_may_be_found_can_be_limited(memory):
    """Tiers, kinds and the first day hold for every line."""
    tiers = search.recall(memory, "puppy", limits=Limits(tiers=("warm",)))
    assert {line.path for one in tiers.passages for line in one.lines} == {"memory/warm/pets.md"}
    since = search.recall(memory, "Ann flood puppy", limits=Limits(since="2023-06-01"), strict=False)
    assert {line.day for one in since.passages for line in one.lines} == {"2023-07-07"}
    assert not search.recall(memory, "puppy", limits=Limits(kinds=("decision",))).passages


def test_lines_that_stand_together_are_one_passage(memory):
    """Neighbours are read together, under one heading with both ends of their addresses."""
    found = search.recall(memory, "What did Ann call the puppy that she adopted?", strict=False)
    assert found.passages[0].address.startswith("i1abc.1-")


def test_a_passage_names_the_headings_that_name_something():
    """A heading that only says what kind of thing stands below it takes no room above a passage."""
    text = (
        "# Journal: instance 1\n\n## Billing of invoices\n\n### Log\n\n- One.\n- Two.\n- Three.\n- The walrus sleeps.\n"
    )
    index = access.index_tree(InMemory({"journal/instance-1.md": text}))
    answer = search.recall(index, "walrus", budget=20, strict=False)
    assert answer.passages[0].under == "Billing of invoices"


@given(st.integers(min_value=0, max_value=300))
@example(13)  # the day before a line that is cut takes room too
@settings(max_examples=share(60))
def test_the_budget_is_hard(budget):
    """However small the budget, the passages keep to it."""
    found = search.recall(access.index_tree(InMemory(TEXTS)), "Ann Bob puppy flood lock 记忆", budget, strict=False)
    assert not found.passages or tokens.count(found.text) <= budget


@given(st.text(max_size=60))
@settings(max_examples=share(150))
def test_no_question_is_an_error(text):
    """Whatever is asked, there is an answer."""
    assert search.recall(access.index_tree(InMemory(TEXTS)), text, strict=False).text


FOREIGN = {
    "journal/instance-1.md": journal(
        1,
        "2031-03-04",
        "We chose Terraform for the servers.",
        "The run 4c1d9a07-9999-4c3b-8f07-5b2c failed for 30 days.",
        "The parser is written in C++.",
    ),
    "journal/instance-2.md": journal(2, "2031-09-14", "The release slipped."),
}


@pytest.fixture(scope="module")
def foreign():
    """Return the index of a memory in English that is asked in other languages."""
    return access.index_tree(InMemory(FOREIGN))


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("Was haben wir über Terraform entschieden?", "i1abc.1"),
        ("Pourquoi avons-nous choisi Terraform ?", "i1abc.1"),
        ("¿Qué decidimos sobre Terraform?", "i1abc.1"),
        ("Che cosa abbiamo deciso su Terraform?", "i1abc.1"),
        ("O que foi decidido sobre o Terraform?", "i1abc.1"),
        ("Wat hebben we over Terraform besloten?", "i1abc.1"),
        ("Warum Terraform?", "i1abc.1"),
        ("Who knows C++?", "i1abc.3"),
        ("What happened in Septemebr 2031?", "i2abc.1"),
        ("i2abc", "i2abc.1"),
    ],
)
def test_what_is_asked_otherwise_is_found(foreign, asked, address):
    """Other languages, names with signs, slipped months and instances find their line."""
    assert search.recall(foreign, asked).passages[0].best.addresses == (address,)


def test_an_instance_gives_its_entries_in_order(foreign):
    """The name of an instance gives its first entries, before all that has the word."""
    assert search.recall(foreign, "i1abc").passages[0].address == "i1abc.1-3"


@pytest.mark.parametrize(
    ("asked", "nothing"),
    [
        ("D-9999", "there is no D-9999 here"),
        ("i4zzz.1", "there is no i4zzz.1 here"),
        ("i1abc.9", "there is no text at i1abc.9, though i1abc is here"),
        ("i4zzz", "there is no i4zzz here"),
        ("the of and", "the question has no word to look for"),
        ("???", "the question has no word to look for"),
        ("c#", "it has none of these words"),
        ("c", "it has none of these words"),
    ],
)
def test_why_nothing_fits_is_said(foreign, asked, nothing):
    """What is called and is not there, what has no word, and what is unknown each have a reason of their own."""
    found = search.recall(foreign, asked)
    assert (found.passages, found.nothing) == ((), nothing)


def test_the_day_is_not_given_as_a_word(foreign):
    """A row of the day that was asked for says so, and has the word `days` only where that was asked."""
    found = search.recall(foreign, "What failed on 4 March 2031?")
    line = next(line for one in found.passages for line in one.lines if line.addresses == ("i1abc.2",))
    assert "its day" in line.why
    assert "day" not in line.why


def test_a_stretch_is_asked_for_where_one_row_has_the_word():
    """A memory of a single row that fits answers what asks for a stretch: nothing stands around that could be felt."""
    index = access.index_tree(InMemory({"journal/instance-1.md": journal(1, "2023-05-08", "The walrus sleeps.")}))
    for text in ("status of the walrus", "overview of the walrus", "what was decided about the walrus"):
        assert [one.address for one in search.recall(index, text, strict=False).passages] == ["i1abc.1"]


def test_what_somebody_said_is_a_line_where_nobody_talks():
    """In a log that is no talk `what did Ada say about the name` is answered by a line, not by a stretch around it."""
    steps = [f"c6a54{at} Fix step {at} of the page" for at in range(20)]
    lines = "Ada wants no hacks.", "The mail came late.", *steps[:9], "Carlos answered: he likes the name.", *steps[9:]
    index = access.index_tree(InMemory({"journal/instance-1.md": journal(1, "2023-05-08", *lines)}))
    for asked, said in (
        ("What did Carlos say about the name?", lines[11]),
        ("What did Ada say about hacks?", lines[0]),
    ):
        first, *_ = search.recall(index, asked, strict=False).passages
        assert first.best.text == said


@pytest.mark.parametrize("asked", ["what did Ada say?", "(Say here", "what is never rewritten?"])
def test_what_asks_a_person_for_words_answers_nothing(asked):
    """A place on a page where a person is asked for words is no line of the memory."""
    page = "# Town\n\n(Say here, in your own words, what it is for. It is never rewritten.)\n\n## Rules\n\nAda rules.\n"
    index = access.index_tree(InMemory(dict.fromkeys(("main.md", "memory/architecture.md"), page)))
    assert "own words" not in search.recall(index, asked, strict=False).text


def test_the_best_line_has_its_day_and_echoes_come_once():
    """The line that a passage was found for begins with its day; what says nearly the same again is passed over."""
    said = "The relay listens on port 8003 because another service has taken port 8000 since the spring"
    front = "---\ninstance: {0}\ntag: abc\nstarted: 2023-05-0{0}T09:00:00Z\n---\n# Journal: instance {0}\n\n"
    texts = {
        f"journal/instance-{number}.md": f"{front.format(number)}- {said}{more} [i{number}abc.1]\n"
        for number, more in ((1, "."), (2, " (Ada)."), (3, "."))
    }
    found = search.recall(access.index_tree(InMemory(texts)), "which port does the relay listen on")
    assert len(found.passages) == 1
    assert found.passages[0].text == f"i3abc.1\n3 May 2023: {said}."


def test_a_value_has_to_be_said_and_a_reason_may_be_told_in_other_words():
    """Of a thing that is known a memory may lack what is asked for: where that is a value, the answer is marked."""
    lines = [f"The harbour office keeps ledger {number} of the ferry." for number in range(30)]
    index = access.index_tree(
        InMemory(
            {
                "journal/instance-1.md": journal(
                    1,
                    "2023-05-08",
                    "Our Twitter account was locked out for a day, the agents posted too fast.",
                    "The installers for Windows miss from the release, msitools was not found.",
                    *lines,
                )
            }
        )
    )
    missing = "How many followers does our Twitter account have?", "Under which licence are the installers published?"
    for asked in missing:
        found = search.recall(index, asked)
        assert found.nothing
        assert found.text.startswith("Nothing")
    for asked in ("Why did Twitter lock the account?", "Which installers miss from the release?"):
        assert not search.recall(index, asked).nothing


def test_names_alone_are_no_answer():
    """What is asked of two that are known has to stand near one of them; what stands far off is marked."""
    wind = (f"Step {number}: the wind of the month was measured." for number in range(12))
    bills = "Each invoice of the month is paid.", "The invoice of May is late.", "Each invoice is kept."
    both = "Quern went live on the new host.", "The page of Tallis has a new head."
    index = access.index_tree(InMemory({"journal/instance-1.md": journal(1, "2023-05-08", *both, *wind, *bills)}))
    assert search.recall(index, "Why did Quern pay the invoice of Tallis?").nothing
    for asked in ("Why has Tallis a new page beside Quern?", "Was Quern the host of Tallis?", "Quern Tallis", "Quern?"):
        assert not search.recall(index, asked).nothing


def test_a_heading_without_a_word_of_the_question_stands_only_above_what_is_shown():
    """No passage ends with the heading of what is not shown, and none is such a heading alone."""
    front = "---\ninstance: 1\ntag: abc\nstarted: 2023-05-01T09:00:00Z\n---\n# Journal: instance 1\n\n"
    rain = " ".join(f"It rained on day {number}." for number in range(60))
    text = f"{front}## Wire\n\n- The relay listens on port 8003. [i1abc.1]\n\n## Weather\n\n- {rain} [i1abc.2]\n"
    index = access.index_tree(InMemory({"journal/instance-1.md": text}))
    assert "8003" in search.recall(index, "which port has the relay", 80).text
    assert "# Weather" not in search.recall(index, "which port has the relay", 80).text
    assert "· Weather" in search.recall(index, "which port has the relay", 1_000).text


@pytest.mark.parametrize("asked", ["warum kein Vektorspeicher?", "为什么不用向量数据库？", "почему нет сервера?"])
def test_a_question_in_a_language_that_is_not_here_is_told_so(asked):
    """Words are looked for as they are written: who asks in a language that the memory is not in is told."""
    english = access.index_tree(InMemory({"journal/a.md": "# a\n\nThere is no vector store here.\n"}))
    nothing = search.recall(english, asked).nothing
    assert "this memory is in English, not in the question's language" in nothing
    assert nothing.endswith("ask in English, too")
    spoken = "# a\n\nWarum der Hafen kein Eis hat.\n\n港口没有冰。\n\nНет льда, почему?\n"
    other = access.index_tree(InMemory({"journal/a.md": spoken}))
    assert "not in the question's language" not in search.recall(other, asked).nothing


@pytest.mark.parametrize("asked", ["zeppelin 微信 login", "the 中文 zeppelin test"])
def test_a_name_in_other_letters_is_no_question_in_another_language(asked):
    """What language a question is in is told by its small words, not by a name."""
    english = access.index_tree(InMemory({"journal/a.md": "# a\n\nThere is no vector store here.\n"}))
    assert "language" not in search.recall(english, asked).nothing


def test_an_english_question_to_a_memory_in_another_language_is_told_so():
    """Who asks in English where the memory is in Chinese is told in which language to ask."""
    chinese = "# a\n\n邮件系统需要新的密码。\n\n备份任务每天运行。\n"
    index = access.index_tree(InMemory({"journal/a.md": chinese}))
    assert "this memory is in Chinese" in search.recall(index, "which password are we waiting for?").nothing
    mixed = f"{chinese}\nWe are waiting for the mail.\n"
    index = access.index_tree(InMemory({"journal/a.md": mixed}))
    assert "language" not in search.recall(index, "which zeppelin is it that we had?").nothing


def test_the_pages_that_init_lays_out_tell_no_language():
    """A memory is in the language of its journals, though `main.md` and the page of the architecture are in English."""
    ours = "# a\n\nRun this. It prints what to read.\n\nWork. Write down what you decide and why.\n"
    pages = {"main.md": ours, "memory/architecture.md": ours, "journal/a.md": "# a\n\nWir haben das Eis im Hafen.\n"}
    nothing = search.recall(access.index_tree(InMemory(pages)), "pourquoi est-ce que nous avons un serveur ?").nothing
    assert "this memory is in German" in nothing


def test_a_question_word_with_a_capital_is_no_name():
    """A question is not told that the memory has nothing on its first word, where that only asks."""
    german = "# a\n\nDie Werkstatt ist in Bremen.\n\nDas Boot hat einen Motor.\n"
    index = access.index_tree(InMemory({"journal/a.md": german}))
    for asked in ("Wann beginnt die Reise?", "Welche Version?"):
        assert asked.split()[0].lower() not in search.recall(index, asked).nothing


def test_how_things_are_now_is_told_by_what_holds():
    """A task that is done stands behind what has as many of the words, and not behind what has fewer."""
    done = "- Bring the speed of the crane to four tons an hour [i1abc.1]\n  - status: done\n"
    page = f"# Threads\n\n## Tasks\n\n{done}"
    note = journal(
        2, "2023-05-09", "The crane has been measured on a quiet day: its speed is six tons an hour, as was said."
    )
    index = access.index_tree(InMemory({"memory/hot/threads.md": page, "journal/instance-2.md": note}))
    for asked, first in (
        ("speed of the crane", "six tons"),
        ("current speed of the crane", "six tons"),
        ("bring the speed of the crane to four tons", "Bring the speed"),
    ):
        assert first in search.recall(index, asked).passages[0].best.text


def test_what_is_said_for_a_name_is_not_what_it_names():
    """Who asks about something with a name of its own, of which nothing is here, is told so whatever its sort is."""
    rain = (f"It rained on day {number}." for number in range(9))
    index = access.index_tree(
        InMemory({"journal/a.md": journal(1, "2023-05-08", "The database moved to the pier.", *rain)})
    )
    assert search.recall(index, "did we move the data of the pier to Postgres?").nothing == "it has nothing on postgres"
    for asked in ("Where is the db of the pier?", "Postgres of the pier", "Wohin zog die Postgres vom Pier?"):
        assert "postgres" not in search.recall(index, asked).nothing
