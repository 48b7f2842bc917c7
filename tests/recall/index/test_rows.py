"""What the rows of a document are."""

from sleep.documents import main_page
from sleep.recall.index import rows

JOURNAL = """---
instance: 7
tag: qxk
started: 2026-11-21T09:05:36Z
---
# Journal: instance 7

- **Ann:** Shall we use flock? [i7qxk.1]
- **Bob:** Yes. [i7qxk.2]

## Decision: use flock for the lock [i7qxk.3 D-014]

- why: filelock costs 4.9 times a bare start
- time: 2026-11-21T09:06:00Z

```python
# not a heading
```

## Log

A paragraph that
goes on. [i7qxk.4]
"""


def read(path, text):
    """Return the rows of a document that are no headings."""
    return [row for row in rows.read(path, text) if row.kind != rows.HEADING]


def test_turns_entries_and_paragraphs_are_rows_with_addresses():
    """Each idea of a journal is a row with its address, its day, its kind and who said it."""
    found = read("journal/instance-7.md", JOURNAL)
    assert [row.addresses for row in found] == [(f"i7qxk.{at}",) for at in range(1, 5)]
    assert [row.who for row in found] == ["Ann", "Bob", "", ""]
    assert {row.day for row in found} == {"2026-11-21"}
    assert found[2].kind == "decision"
    assert "4.9 times" in found[2].text
    assert "# not a heading" in found[2].text
    assert "09:06" not in found[2].text
    assert found[3].text == "A paragraph that\ngoes on."
    assert found[0].flags & rows.ASKS


def test_a_mark_is_one_with_a_blank_behind_it():
    """An import marks a line before the blanks at its end, and what stands below is of that entry."""
    found = read("journal/instance-7.md", "- A list: [i7qxk.1] \n    - nested [i7qxk.2]\t\n        - more\n")
    assert [(row.addresses, row.text) for row in found] == [
        (("i7qxk.1",), "A list:"),
        (("i7qxk.2",), "nested\n        - more"),
    ]


def test_a_journal_of_any_form_has_rows():
    """A journal without front matter and marks is read as well, and dated by what it says."""
    found = read("journal/a.md", "Date: 8 May 2023\n\n## Log\n\n- [D1:3] **Ann Lee:** hello\n- [D1:4] **Bob:** ho\n")
    assert [(row.who, row.day) for row in found] == [("Ann Lee", "2023-05-08"), ("Bob", "2023-05-08")]
    assert rows.terms(found[0]) == ["ann", "lee", "hello", "d1:3"]


def test_a_fragment_says_what_became_of_it():
    """A record that no longer binds has its state, and prose what supersedes it."""
    text = (
        "# Decisions\n\n## Decisions\n\n### 8 May 2023\n\n"
        "- **D-001** Use flock. [i1abc.1]\n  - status: reversed (too slow)\n"
        "\n## Notes\n\n- It takes 3 ms. [i1abc.2]\n  - superseded by: i2abc.1\n"
    )
    found = rows.read("memory/hot/decisions.md", text)
    assert [row.state for row in found] == ["reversed (too slow)", "superseded by i2abc.1"]
    assert [row.day for row in found] == ["2023-05-08", ""]


def test_where_a_fragment_was_said_is_no_text_of_it():
    """The session of an item of a tier is neither shown nor found by its words: it is an id."""
    text = "# cli\n\n## Dead ends noticed\n\n- Import cli from strategy [i1abc.2]\n  - transcript: cli_68-60e2:49\n"
    found = [row.text for row in rows.read("memory/hot/cli.md", text) if row.addresses]
    assert found == ["Import cli from strategy"]


def test_a_long_piece_is_cut_at_sentences():
    """No row is longer than a screen, and no word is lost."""
    text = "- " + "This is a sentence of some words. " * 200
    found = rows.read("journal/a.md", text)
    assert max(len(row.text) for row in found) <= 1_200
    assert " ".join(row.text for row in found).split() == text[2:].split()


def test_only_memory_is_read():
    """Journals, tiers and the pages of a memory are read, other files are not."""
    tiers = {
        "journal/instance-1.md": "journal",
        "memory/hot/threads.md": "hot",
        "memory/cold/a.md": "cold",
        "memory/core/0.soul.md": "core",
        "memory/core/features/a.md": "core",
        "memory/knowledge/a.md": "knowledge",
        "memory/state/a.md": "tasks",
        "memory/architecture.md": "architecture",
        "main.md": "main",
        "memory/cycles.md": "",
        "journal/a.txt": "",
        "README.md": "",
    }
    assert {path: rows.tier_of(path) for path in tiers} == tiers


def test_a_row_knows_its_line():
    """A row says where in its document it begins, in journals with front matter and in tiers."""
    assert [row.line for row in rows.read("journal/instance-7.md", JOURNAL)] == [8, 9, 11, 20, 22]
    text = "# Notes\n\n## Notes\n\n- one [i1abc.1]\n- two [i1abc.2]\n  - why: three\n- four [i1abc.3]\n"
    assert [row.line for row in rows.read("memory/hot/context.md", text)] == [5, 6, 8]
    long = "# J\n\n- short\n- " + "\n  ".join(["A sentence of some words. " * 20] * 4) + "\n"
    found = rows.read("journal/a.md", long)
    assert all(row.text.split("\n")[0] in long.split("\n")[row.line - 1] for row in found)


def test_a_nested_item_with_a_mark_is_a_row_of_its_own():
    """What has an address of its own is not hidden in the item above it."""
    found = read("main.md", "## Now\n\n- threads: 2\n  - one [i1abc.1]\n  - two [i1abc.2] (derived)\n  - three\n")
    assert [(row.text, row.addresses) for row in found] == [
        ("threads: 2", ()),
        ("one", ("i1abc.1",)),
        ("two\n  - three", ("i1abc.2",)),
    ]


def test_an_event_says_what_it_does_to_a_record():
    """An event in a journal names its record in one form, and what has become of it; nothing where it binds again."""
    text = (
        "## Decision event: D-1 reversed [i9abc.4]\n\n- record: D-1\n- to: reversed\n- reason: too slow\n\n"
        "## Decision event: D-001 standing [i9abc.5 decision event]\n\n- record: D-001\n- to: standing\n\n"
        "## Decision event: D-002 superseded [i9abc.6]\n\n- record: D-002\n- to: superseded\n- by: D-003\n"
    )
    assert [row.move for row in rows.read("journal/instance-9.md", text)] == [
        ("D-001", "reversed in i9abc.4 (too slow)"),
        ("D-001", ""),
        ("D-002", "superseded by D-003"),
    ]


def test_what_refers_to_another_instance_stays_in_its_entry():
    """A reason that ends in the address of what it was said in is no entry of that address."""
    event = "## Question event: Q-001 answered [i2def.1]\n\n- record: Q-001 (i1abc.1)\n- reason: as in [i1abc.3]\n"
    (row,) = rows.read("journal/instance-2.md", f"---\ninstance: 2\ntag: def\n---\n{event}")
    assert row.addresses == ("i2def.1",)
    assert row.text.endswith("reason: as in [i1abc.3]")


def test_a_comment_of_ours_is_no_row():
    """What the program writes for itself into a page is not found."""
    assert [row.text for row in read("main.md", "## A\n\n<!-- written by sleep -->\n\nWords.\n")] == ["Words."]


def test_only_a_bullet_that_begins_a_row_goes():
    """A sign inside the words is theirs."""
    said = "Podman + Quadlet. [i7qxk.1]\n\n- **Task:** Build - and run [i7qxk.2]\n"
    found = rows.read("journal/instance-7.md", JOURNAL.partition("- **Ann")[0] + said)
    assert [row.text for row in found] == ["Podman + Quadlet.", "**Task:** Build - and run"]


def test_the_marks_of_a_merge_conflict_are_no_rows():
    """Of a journal that two sides added, neither front matter nor what git writes between the sides is a row."""
    text = (
        "---\ninstance: 2\n<<<<<<< HEAD\ntag: abc\n=======\ntag: xyz\n>>>>>>> theirs\n"
        "started: 2026-11-21T09:05:36Z\n---\n# Journal: instance 2\n\n"
        "<<<<<<< HEAD\n- Ours. [i2abc.1]\n||||||| base\n=======\n- Theirs. [i2xyz.1]\n>>>>>>> theirs\n"
    )
    found = rows.read("journal/instance-2.md", text)
    assert [(row.text, row.addresses, row.line) for row in found] == [
        ("Ours.", ("i2abc.1",), 13),
        ("Theirs.", ("i2xyz.1",), 16),
    ]
    text = (
        "---\ninstance: 2\n<<<<<<< HEAD\ntag: abc\n---\n\n- Ours. [i2abc.1]\n"
        "=======\ntag: xyz\nimported:\n  from: adr\n---\n\n- Theirs. [i2xyz.1]\n>>>>>>> theirs\n"
    )
    assert [(row.text, row.line) for row in rows.read("journal/b.md", text)] == [("Ours.", 7), ("Theirs.", 14)]
    tier = "# a\n\n## Notes\n\n<<<<<<< HEAD\n- One. [i1abc.1]\n=======\n- Two. [i1abc.2]\n>>>>>>> theirs\n"
    assert [row.text for row in rows.read("memory/warm/a.md", tier)] == ["One.", "Two."]
    assert rows.read("journal/b.md", "Title\n=======\n\nA text.\n")[-1].text == "A text."


def test_a_heading_is_a_row_and_what_stands_below_knows_it():
    """Each row says how far above the heading stands that it is under; an entry's own heading is a part of it."""
    text = (
        "# Log\n\n## Prices\n\n- low\n\n### Extras\n\nNone.\n\n## Decision: go [i1abc.1]\n\n- why: now\n\n"
        "## Rest\n\nx\n"
    )
    found = rows.read("journal/a.md", text)
    assert [(row.text.split("\n")[0], row.kind == rows.HEADING, row.below) for row in found] == [
        ("Log", True, 0),
        ("Prices", True, 1),
        ("low", False, 1),
        ("Extras", True, 2),
        ("None.", False, 1),
        ("Decision: go", False, 5),
        ("Rest", True, 6),
        ("x", False, 1),
    ]
    assert rows.read("journal/instance-1.md", "# Journal: instance 1\n\nA.\n")[0].text == "A."


def test_a_label_is_a_speaker_in_talk_only():
    """Labels that come again and again speak; names of matters and kinds of entry do not, and are words of the row."""
    listed = rows.read("journal/a.md", "- **Billing error**: the total\n- **Login**: fails\n- **Search**: slow\n")
    assert [row.who for row in listed] == ["", "", ""]
    assert rows.terms(listed[0]) == ["bill", "error", "total"]
    talk = rows.read(
        "journal/a.md", "- **Ann:** hi\n- **Bob:** ho\n- **Cy:** so\n- **Ann:** a\n- **Cy:** b\n- **Bob:** c\n"
    )
    assert [row.who for row in talk] == ["Ann", "Bob", "Cy", "Ann", "Cy", "Bob"]
    assert [row.who for row in rows.read("journal/a.md", "- **Decision:** x\n- **Task:** y\n")] == ["", ""]
    assert rows.read("journal/a.md", "- **Note to all:** x\n\nMore.\n\nAnd more.\n")[0].who == ""


def test_a_rule_across_the_page_is_no_row():
    """A line of dashes says nothing, and is no part of what stands above it."""
    found = rows.read("journal/a.md", "- one\n\n---\n\ntwo\n\n* * *\n")
    assert [row.text for row in found] == ["one", "two"]


def test_a_row_knows_who_said_it():
    """The source of an entry is no text of it; a field of that name that says something else is."""
    text = (
        "## Decision: go [i1abc.1]\n\n- why: now\n- source: imported: docs/a b.md\n\n"
        "## Note: x [i1abc.2]\n\n- source: a.py\n"
    )
    first, second = rows.read("journal/instance-1.md", text)
    assert (first.source, first.text) == ("imported: docs/a b.md", "Decision: go\nwhy: now")
    assert (second.source, second.text) == ("", "Note: x\nsource: a.py")
    tier = "# Decisions\n\n## Decisions\n\n- **D-001** Go. [i1abc.1]\n  - source: person\n"
    assert [(row.source, row.text) for row in rows.read("memory/hot/decisions.md", tier)] == [("person", "D-001 Go.")]


def test_our_map_of_the_memory_is_no_row():
    """The map of `main.md` names each topic: whoever asks about one is not answered by it; a person's own map is."""
    page = main_page.with_section(main_page.new("ferry", "Parcels."), main_page.MAP, "- cold topics: debt, relay")
    assert not any("cold topics" in row.text for row in rows.read("main.md", page))
    assert any("cold topics" in row.text for row in rows.read("main.md", "# a\n\n## Map\n\n- cold topics: debt\n"))
    after = rows.read("main.md", f"{page}\n## Harbour\n\nIce.\n")[-1]
    assert (after.text, after.line) == ("Ice.", f"{page}\n## Harbour\n\nIce.\n".split("\n").index("Ice.") + 1)
