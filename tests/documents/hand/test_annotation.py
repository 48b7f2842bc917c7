"""Marking journals written by hand."""

from __future__ import annotations

import time

import pytest
from document_strategies import MARKDOWN
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.documents import journal
from sleep.documents.hand import noticed_forms
from sleep.documents.hand.annotation import mark, unmark
from sleep.documents.hand.outline import pieces
from sleep.records.address import MARK, InstanceId

OWN = InstanceId(9, "zzz")
HEAD = journal.start(OWN, {})
LONG = "word " * 100_000

# What has broken readers of Markdown before; each also with CRLF.
HARD = {
    "empty": "",
    "blank": "\n\n \n",
    "bom": "\ufeff# Title\n\nWords.\n",
    "no newline": "Words",
    "setext": "Title\n=====\n\nSub\n---\n\n| a |\n|---|\n\nWords.\n",
    "fences": "## Log\n\n```py\n# not a heading\n- not an item\n```\n\n~~~\n```\n~~~\n",
    "unclosed fence": "Words.\n\n```\n## inside\n- inside\n",
    "comment": "<!-- template:\n## Decisions\n- x\n-->\n\nWords.\n",
    "unclosed comment": "Words.\n\n<!-- open\n\n## inside\n",
    "front matter twice": "---\ninstance: 3\ntag: abc\n---\n\nWords.\n",
    "tasks": "- [ ] open\n- [x] done\n- [ ]\n  - [ ] nested\n",
    "nested": "- **Open items:**\n  - one\n    - deeper\n  - ```\n    code\n    ```\n- last\n\n  more\n",
    "group": "- Backend\n  - [ ] one\n    - [x] deeper\n  - two\n- Gate\n  1. [x] three\n",
    "label above nothing": "**Items:**\n-\n- \n- text\n",
    "ordered": "1. one\n2. two\n   1. nested\n10) ten\n",
    "table first": "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "table under heading": "## State\n\n| a |\n|---|\n\nOne. [i9zzz.4]\n\nTwo.\n",
    "quote": "> quoted\n> - item\n\nWords\n> lazy\n",
    "note": "## Note\n\n```\ncode\n```\n",
    "empty headings": "##\n\n```\na\n```\n\n# #\n\n> b\n\n### ###\n\n| c |\n|---|\n",
    "rtl": "## אזהרות\n\n- سلام عليكم كيف الحال؟\n\n\u202eabc\u202c\n",
    "cjk": "## 决定\n\n- 使用锁。\n- 必须保留\n\n日本語のメモ。\n",
    "bytes": b"caf\xe9 \xff\n\n- \xc3\x28\n".decode("utf-8", "surrogateescape"),
    "marks": "See [i9zzz.7] there.\n\nAs in [i9zzz.7]\n\n- as in [i9zzz.7]\n\n```\n[i9zzz.8]\n```\n",
    "two in one": "Two [i9zzz.1 i9zzz.2]\n\nThree [i9zzz.1 see]\n",
    "last of all": "See [i9zzz.9999999] there.\n\nAnd more.\n\nAnd more.\n",
    "put in": "## Note [i9zzz.3 note]\n\n> quote\n\n## Note [i9zzz.4 note]\n",
    "long line": LONG + "\n\n# " + LONG + "\n\n- " + LONG,
    "rule line": "# a" + "." * 100_000 + "a\n\n" + "-a" * 50_000 + "\n\nx " + "=" * 100_000 + "\n",
    "label item": "- **Items:**\n  - [ ] \n  - words\n- Code:\n  - ```\n    x\n    ```\n  - words\n",
    "deep": "\n".join("  " * depth + "- x:" for depth in range(60)),
}


def checked(text, body=0):
    """Mark a text and check all that must be true of it; return the journal that it reads as."""
    done = mark(text, OWN, {})
    assert unmark(done, OWN) == unmark(text, OWN)
    assert mark(done, OWN, {}) == done
    found = journal.read(done, OWN)
    assert found.unmarked == 0
    ordinals = [entry.address.ordinal for entry in found.entries]
    assert len(ordinals) == len(set(ordinals))
    at = found.body
    for entry in found.entries:
        assert entry.address.instance == OWN
        assert at <= entry.start < entry.end <= len(done)
        at = entry.end
    for piece in pieces(done, found.body):
        if piece.form not in {"heading", "label"} and done[piece.start : piece.end].strip():
            holding = [one for one in found.entries if one.start <= piece.start and piece.end <= one.end]
            assert len(holding) == 1, piece
    return found


@given(MARKDOWN)
@example("**Items:**\n- \n")
@example("# #\n```\nx\n```")
@example("## Note\n```\nx\n```")
@example("see [i9zzz.3]\n\n- as in [i9zzz.3]\n")
def test_marked(text):
    """Marking only inserts, gives every piece of a journal one address of its own, and has nothing left to do after."""
    checked(HEAD + "\n" + text)


@given(MARKDOWN, st.sampled_from(["", "\ufeff"]))
def test_without_front_matter(text, bom):
    """A page without front matter is marked as well as a journal."""
    if text.startswith("---"):
        text = "\n" + text
    checked(bom + text)


@given(MARKDOWN)
def test_inserts(text):
    """Where there were no marks of its own, taking them out again gives the text back byte for byte."""
    text = HEAD + text.replace("i9zzz", "i8zzz")
    assert unmark(mark(text, OWN, {}), OWN) == text


@given(MARKDOWN, MARKDOWN)
def test_more_by_hand(first, second):
    """What is written by hand below a marked journal is marked in turn, and no address that was given changes."""
    before = checked(HEAD + "\n" + first)
    after = checked(before.text + "\n\n" + second.replace("i9zzz", "i8zzz"))
    given_ = {entry.address: entry.kind for entry in before.entries}
    assert given_.items() <= {entry.address: entry.kind for entry in after.entries}.items()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", HARD)
def test_hard(name, newline):
    """Each text that has broken a reader of Markdown is marked whole, with any line end."""
    text = HARD[name].replace("\n", newline)
    if name != "front matter twice" and newline != "\r":
        checked(text)
    checked(HEAD.replace("\n", newline) + newline + text)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Words.\n", "Words. [i9zzz.1]\n"),
        ("Words\ngo on.  \n", "Words\ngo on. [i9zzz.1]  \n"),
        ("- a\n  - b\n- c\n", "- a [i9zzz.1]\n  - b\n- c [i9zzz.2]\n"),
        ("- Items:\n  - b\n  - c\n", "- Items:\n  - b [i9zzz.1]\n  - c [i9zzz.2]\n"),
        ("## A\n\n| a |\n|---|\n", "## A [i9zzz.1]\n\n| a |\n|---|\n"),
        ("> a\n", "## Note [i9zzz.1 note]\n\n> a\n"),
        ("A\n\n> a\n", "A [i9zzz.1]\n\n> a\n"),
        (
            "## Decision\n\nUse flock.\n\n- why: fast\n",
            "## Decision [i9zzz.1 decision D-005]\n\nUse flock.\n\n- why: fast\n",
        ),
        (
            "## Decision: use flock\n\nIt is there.\n",
            "## Decision: use flock [i9zzz.1 decision D-005]\n\nIt is there.\n",
        ),
        ("- We decided to use flock.\n", "- We decided to use flock. [i9zzz.1 decision D-005]\n"),
        (
            "## Open questions\n\n- Windows?\n- macOS?\n",
            "## Open questions\n\n- Windows? [i9zzz.1 question Q-001]\n- macOS? [i9zzz.2 question Q-002]\n",
        ),
        ("- [ ] test it\n- [x] wrote it\n", "- [ ] test it [i9zzz.1 task]\n- [x] wrote it [i9zzz.2 change]\n"),
        ("```\ncode\n", "## Note [i9zzz.1 note]\n\n```\ncode\n"),
        ("## T ##\n\n> a\n", "## T [i9zzz.1] ##\n\n> a\n"),
        ("T\n=\n\n> a\n", "T [i9zzz.1]\n=\n\n> a\n"),
    ],
)
def test_where(text, marked):
    """A mark stands behind the first words of a piece, with its kind and, where the kind has a letter, its number."""
    assert mark(text, OWN, {"D": 4}) == marked


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Should we use flock? Yes, because it is there.\n", {"note"}),
        ("Which lock should we use?\n\n- flock, because it is there\n", {"note"}),
        ("- Which lock?\n  - Answer: flock\n  - It is there.\n", {"note"}),
        ("Is it portable?\n", {"question"}),
        ("**Ana:** Should we?\n\n**Ben:** We decided to go.\n\n**Ana:** Never do that.\n\n**Ben:** Ok.\n", {"note"}),
        ("User: never push to main\n\nAssistant: We decided to use flock.\n", {"note"}),
    ],
)
def test_kinds(text, kinds):
    """A question that is answered right there is not open, and what somebody says in a conversation is no record."""
    assert {entry.kind for entry in checked(text).entries} == kinds


def test_references():
    """A text that refers to an entry at its end does not take the entry's address, wherever it stands."""
    decided = "## Decision: use flock [i9zzz.1 D-001]"
    text = f"{HEAD}\nAs decided in [i9zzz.1]\n\n{decided}\n\nSee [i9zzz.1]\n\n- also [i9zzz.1]\n"
    found = checked(text)
    assert [(str(one.address), one.kind) for one in found.entries] == [("i9zzz.2", "note"), ("i9zzz.1", "decision")]
    assert found.entries[1].number == "D-001"


def test_large():
    """A journal of five megabytes is marked and read whole."""
    block = "## Part\n\nA paragraph of words.\n\n- one item\n- [ ] another\n\n```\ncode\n```\n\n| a |\n|---|\n\n"
    text = HEAD + "\n" + "A long line of prose. " * 50_000 + "\n\n" + block * 200 + ("x" * 1000 + "\n") * 3_900
    assert len(text) > 5_000_000
    found = journal.read(mark(text, OWN, {}))
    assert (found.unmarked, len(found.entries)) == (0, 1 + 3 * 200 + 1)


@pytest.mark.parametrize("line", ["- a bullet of some words\n", "**Ana:** words\n\n", "- Items:\n  - x\n", "# h\n"])
def test_linear(line):
    """Eight times as many pieces take about eight times as long: a hundred thousand bullets are no trap."""

    def seconds(count):
        return max(_timed(HEAD + "\n" + line * count), 5e-4)

    assert any(seconds(1_000) / seconds(125) < 16 for _ in range(3))


def _timed(text):
    start = time.process_time()
    journal.read(mark(text, OWN, {}))
    return time.process_time() - start


def test_every_mark_counts():
    """The marks in a marked journal are exactly its entries."""
    found = checked(HEAD + "\n" + HARD["nested"] + "\n" + HARD["tasks"])
    assert len(MARK.findall(found.text)) == len(found.entries)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("- Never push to main.", "constraint"),
        ("- Pushes to main must have a review.", "noticed constraint"),
        ("But after a longer look I realized that pushes to main must have a review.", ""),
        ("It also implies that you must not make a push too expensive.", ""),
        ("If you only have time for one section, read the second first.", ""),
        ("- We decided to use Postgres.", "decision D-001"),
        ("- The index moved from disk to memory.", "noticed decision"),
        ("- **Rule:** Never push to main.", "constraint"),
        ("- **Decision:** Postgres.", "decision D-001"),
        ("## Constraints\n\n- Branches live for a day.", "constraint"),
        ("## Decisions\n\n- Postgres holds the ledger.", "decision D-001"),
        ("- [ ] Rotate the key", "task"),
        ("## Next steps\n\n- Rotate the key", "task"),
        ("- We still need to rotate the key.", "noticed task"),
        ("**Blocker:** No key for staging.", "blocker"),
        ("## Next steps\n\n- The release is blocked by the missing key.", "blocker"),
        ("**Lesson:** Never build SQL with f-strings.", "constraint"),
        ("**Lesson:** Don't post twice in a minute.", "constraint"),
        ("**Lesson:** A frame must be nested to be laid out.", "noticed constraint"),
        ("**Lesson (User Preference):** Greetings annoy her. Skip them.", "constraint"),
        ("## Workflow learnings\n\n- Separate commits for fixes that have nothing to do with each other", "constraint"),
        ("**Lesson:** Threads won't work for the parser, since it holds the lock.", "dead end"),
        ("## Decisions\n\n- Vercel won't work for a Go binary.", "dead end"),
        ("## 教训\n\n- 发布脚本必须有幂等性检查", "constraint"),
        ("## Mitigation\n\n- A tight stop reduces slippage.", ""),
        ("**Current focus:**\n\n- Budget: constrained", "noticed thread"),
        ("## Migration plan\n\n- Move the tables", ""),
        ("## Decisions\n\n- Substrate.\n\n**Why Substrate:**\n\n- Battle-tested", ""),
        ("- Rules: `check_rules`, `list_rules`", ""),
        ("- [ ] Tool usage examples", ""),
        ("## Decisions\n\n- The orchestrator is operational.", ""),
        ("## Decisions\n\n- The user prefers free tools before paid ones.", "constraint"),
        ("## Next steps\n\n- The dark theme is live on main.", "change"),
        ("- [ ] Rotate keys of staging soon", "task"),
        ("- **SOUL.md updated**: never ask twice", ""),
        ("- 永远不要共享密钥", "constraint"),
        ("- Niemals ohne Freigabe veröffentlichen.", "constraint"),
        ("## Agent behaviour & rules\n\n- Commits must never skip the hooks.", "constraint"),
        ("## Log\n\n- Commits must never skip the hooks.", "noticed constraint"),
        ("## 用户明确要求\n\n- 所有测试要用图形桌面浏览器", "constraint"),
        ("**规范建立**: 先打快照，再升级", "constraint"),
        ("**Lesson:** Skill ids: always write them whole. The prefix is added later.", "constraint"),
        ("**Lesson:** Vetting protocol: Before using any new tool - verify its source.", "noticed constraint"),
        ("**Lesson:** Verify the version of the schema before writing queries.", "constraint"),
        ("## Workflow learnings\n\n- The suite should be run before a merge is committed", "constraint"),
        ("## Workflow learnings\n\n- Copilot reviews are enabled here", "insight"),
        ("**Lesson:** FTS tables cause match errors when joined. Use plain tables with triggers instead.", "dead end"),
        ("## Friction\n\n- Initial attempt to keep the helper in common.go failed the linter", "dead end"),
        ("## Log\n\n- Initial attempt to keep the helper in common.go failed the linter", "noticed dead end"),
        ("- Ana chose option 2 over option 1", "decision D-001"),
        ("- Switched to the public API (no key needed)", "decision D-001"),
        ("- Back on the old pool per Ana's request", "decision D-001"),
        ("- Wir haben uns für SQLite entschieden.", "decision D-001"),
        ("- 根据主人指令切换至飞书", "decision D-001"),
        ("- 响应主人要求，开始执行任务", ""),
        ("- The store uses optional interfaces rather than methods of the base", "decision D-001"),
        ("- The skill now ends in 41 ms instead of timing out", ""),
        ("## Decisions\n\n- Stopping rule: ten real tasks", "decision D-001"),
        ("- **Mail:** blocked, the owner has to give a new password", "blocker"),
        ("- **邮件系统**: 阻塞中，需主人提供新的密码", "blocker"),
        ("## 阻塞\n\n- 对象存储的账号还没批下来", "blocker"),
        ("## Bloqueos\n\n- Falta el acceso al servidor", "blocker"),
        ("- **Status:** waiting for the owner's decision", "noticed blocker"),
        ("- The upload is blocked by the login", "noticed blocker"),
        ("## Decisions\n\n- The small model is not installed on the server", ""),
        ("**Decision: option A.** Evidence:\n\n- code quality 4/5 with the router", ""),
        ("**Resource limits:** `cli=60A` 19.35 kW", ""),
        ("## Request\n\n- Harden the rules so that it must always search first", ""),
        ("- The upload was blocked by the login", ""),
        ("## Intent\n\n- The user still needs to see the page", ""),
        ("## Learnings\n\n- The signature changed from two words to three", ""),
        ("## Blockers\n\n- The mail plugin needs re-registration", "task"),
        ("## Open questions\n\n- The key is still not rotated, needs debugging", "task"),
        ("## Open items\n\n- Investigate whether the shim can go", "question Q-001"),
        ("- Die Tabellen müssen noch umgesetzt werden", "noticed task"),
        ("**BMS limits:**\n\n- `cli=60A` 19.35 kW", ""),
        ("- The service is currently being managed", ""),
        ("- PR #65 is still in draft", "noticed thread"),
        ("- **Principle:** Repairs don't need permission", "noticed constraint"),
        ("## Waiting on the owner\n\n- DNS records of the mail server", "blocker"),
        ("## 等待主人\n\n- 邮件服务器 DNS 记录", "blocker"),
        ("**Ask first for:**\n\n- Mails to customers", "constraint"),
        ("- The port is 8003.", ""),
    ],
)
def test_an_import_states_what_its_form_says(text, kind, monkeypatch):
    """A document that was taken in states what a label or a heading says; what its words alone tell is noticed.

    In a language that the model does not know, or in which it is not asked: by forms.
    """
    monkeypatch.setattr(noticed_forms, "has_model", lambda _: False)
    last = MARK.findall(mark(journal.start(OWN, {"source": "log.md"}) + text + "\n", OWN, {}))[-1]
    assert " ".join(filter(None, last[1:])).strip() == kind


COLUMN = "**Task:** Draw the cover\n**Error:** The free service failed\n**Lesson:** Never draw without a sketch.\n"


def test_a_column_of_labels_is_apart():
    """Of a paragraph of labels in an import each record stands by itself; the lines before it stay together."""
    head = journal.start(OWN, {"source": "log.md"})
    marked = journal.read(mark(f"{head}\n{COLUMN}", OWN, {}))
    assert [(entry.kind, entry.title) for entry in marked.entries] == [
        ("note", "**Task:** Draw the cover **Error:** The free service failed"),
        ("constraint", "**Lesson:** Never draw without a sketch."),
    ]
    assert mark(marked.text, OWN, {}) == marked.text
    assert unmark(marked.text, OWN) == f"{head}\n{COLUMN}"


def test_a_column_that_was_marked_as_a_whole_stays_so():
    """A journal that an older program took in reads as it did: one mark, one entry."""
    text = f"{journal.start(OWN, {'source': 'log.md'})}\n{COLUMN.rstrip()} [i9zzz.1 noticed constraint]\n"
    (entry,) = checked(text).entries
    assert entry.title == " ".join(COLUMN.split())


PLAIN = "Last session: 2026-01-16\nStopped at: plan 2\nNext action: Approve the plan\n"


def test_a_column_of_plain_labels_is_apart_where_one_is_a_record():
    """What is next stands by itself among labels that are not bold; labels without a record stay one paragraph."""
    assert kinds(f"## Continuity\n\n{PLAIN}") == [("Next action: Approve the plan", "task")]
    head = journal.start(OWN, {"source": "log.md"})
    others = PLAIN.replace("Next action", "Mood")
    assert len(journal.read(mark(f"{head}\n{others}", OWN, {})).entries) == 1
    whole = journal.read(f"{head}\n{PLAIN.rstrip()} [i9zzz.1]\n").entries
    assert [entry.title for entry in whole] == [" ".join(PLAIN.split())]


def test_lines_that_lead_to_a_list_are_no_record_of_it():
    """A paragraph below a heading that only leads to the list behind it is a note, and the items are records."""
    text = "### Decisions\n\nAll decisions are in the log.\nRecent ones that count:\n\n- Keep the keys in one file\n"
    assert kinds(text) == [("Keep the keys in one file", "decision")]


def test_an_instances_own_words_state():
    """In a journal that an instance wrote by hand, its words are its own."""
    marked = mark(journal.start(OWN, {}) + "- Never push to main.\n", OWN, {})
    assert "constraint]" in marked
    assert "noticed" not in marked


def kinds(text):
    """Return the kinds of the pieces of a text as they are marked in an import."""
    done = mark(
        journal.start(OWN, {"standing": "marked", "imported": {"from": "journal", "path": "a.md", "hash": "0"}})
        + "\n"
        + text,
        OWN,
        {},
    )
    return [(entry.title, entry.kind) for entry in journal.read(done, OWN).entries if entry.kind != "note"]


STORIES = (
    "## User stories\n\n- [{}] As a user, I want it dark\n\n## Acceptance criteria\n\n### Look\n\n- [ ] a grid of 4px\n"
)
TURNS = (
    "## Summary\n\nuser: What is left to do now?\n\nassistant: Two things are left:\n\n**Next:**\n- rotate the key"
    "\n\nuser: Thanks\n\n**Verdict:** keep it\n"
)


def test_what_a_thing_is_to_be_is_no_task():
    """An empty box of a user's story or a criterion is no task, unless most boxes of the document are ticked."""
    assert kinds(STORIES.format(" ")) == []
    ticked = STORIES.format("x") + "- [x] a font\n- [x] two colours\n"
    assert ("a grid of 4px", "task") in kinds(ticked)
    assert kinds("## To do\n\n- [ ] write the page\n") == [("write the page", "task")]


def test_words_of_a_dialogue_are_nobody_elses():
    """What stands below a turn of a dialogue is of the one who spoke, up to the next heading of the author."""
    assert kinds(TURNS) == []
    assert kinds(TURNS + "\n## To do\n\n- rotate the key\n") == [("rotate the key", "task")]
    assert ("rotate the key", "task") in kinds(TURNS.replace("assistant:", "Then"))


def test_what_a_turn_asks_is_a_question():
    """What a turn asks is open below a heading of questions; elsewhere in an import it is talk."""
    asked = "\n## {}\n\nuser: It is slow.\n\nWhich model is active now?\n"
    assert kinds(TURNS + asked.format("Later")) == []
    assert ("Which model is active now?", "question") in kinds(TURNS + asked.format("Open questions"))


def test_a_question_with_options_is_one_record():
    """Of options below a label that asks the label is the question; marked again nothing moves."""
    head = journal.start(OWN, {"source": "log.md", "standing": "marked"})
    text = "## Access of the edge\n\n**Decision needed:**\n\n- Option A: leave it\n- Option B: a proxy\n"
    marked = mark(f"{head}\n{text}", OWN, {})
    entries = [(entry.kind, entry.title) for entry in journal.read(marked).entries]
    assert entries == [
        ("question", "**Decision needed:**"),
        ("note", "Option A: leave it"),
        ("note", "Option B: a proxy"),
    ]
    assert mark(marked, OWN, {}) == marked
    assert unmark(marked, OWN) == f"{head}\n{text}"


def test_a_heading_inside_a_turn_does_not_end_it():
    """A heading below that of the dialogue is part of what is said, one beside it is the author's."""
    rules = "\n{} Rules\n\n- one job a night\n\nuser: Thanks again!\n"
    assert kinds(TURNS + rules.format("###")) == []
    assert kinds(TURNS + rules.format("##")) == [("one job a night", "constraint")]


def test_who_took_part_is_no_dialogue():
    """Lines that name the person and the agent above a log are no turns, however often they stand there."""
    log = "# Log\n\n**User:** Ana\n**Assistant:** Claude\n\n## Decisions\n\n- use flock\n\n"
    assert [kind for _, kind in kinds(log + log)] == ["decision", "decision"]


def test_what_is_below_a_ticked_heading_is_done():
    """A plan whose heading is ticked leaves nothing to do."""
    assert kinds("## Open tasks ✅\n\n- write the page\n") == [("write the page", "change")]


def test_a_remark_on_code_is_no_rule():
    """What is said of a file, behind its path, is not noticed as a rule."""
    rule = "the page must be read before the index is built"
    assert kinds(f"## Learned\n\n- {rule}\n") == [(rule, "constraint")]
    assert kinds(f"## Notes on code\n\n- `src/page.py`:82: {rule}\n") == []


def test_what_a_report_lists_is_no_choice():
    """Items below a report that stands below decisions are none: they tell what was done."""
    text = "## Decisions\n\n- Patched timeouts of the failing jobs:\n  - Backup → 300s\n- one job a night\n"
    assert [(title, kind) for title, kind in kinds(text) if kind == "decision"] == [("one job a night", "decision")]


def test_code_beside_two_words_is_no_rule():
    """An item of rules that has only two words beside its code says too little, unless they command."""
    text = "## Rules\n\n- `sleep(3)` after submit\n- Always use `uv`\n"
    assert kinds(text) == [("Always use `uv`", "constraint")]
