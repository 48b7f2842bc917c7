"""Which line states a record, and what is said before it, so that it can be understood alone."""

from __future__ import annotations

import pytest

from sleep.evaluation import adapter, life
from sleep.language import salience
from sleep.records.address import Address
from sleep.records.fragment import Fragment
from sleep.wake import quality, render
from sleep.wake.candidates import candidate
from sleep.wake.journal_lines import excerpt, line_fragments, line_text, record_lines
from sleep.wake.journal_lines.excerpt import Excerpt
from sleep.wake.quality import SourceLine


def woken(*pages, budget=2_000):
    """Return the lines of a wake after these pages were taken in and slept on."""
    return life.lived(list(pages)).woken(budget).splitlines()


@pytest.mark.parametrize(
    ("above", "said"),
    [
        ("**Never:**", "- Never: Commit the keystore"),
        ("**❌ DON'T:**", "- ❌ DON'T: Commit the keystore"),
        ("### DON'T DO THIS (it breaks things):\n", "- DON'T DO THIS (it breaks things): Commit the keystore"),
    ],
)
def test_what_forbids_a_list_is_said_with_each_item(above, said):
    """A rule that stands below a ban is never told without it: alone it would order the opposite."""
    lines = woken(f"# 2026-02-01\n\n## Rules\n\n{above}\n- Commit the keystore\n- Log the passwords anywhere\n")
    assert said in lines
    assert "- Commit the keystore" not in lines


def test_what_turns_a_list_round_is_said_with_each_item():
    """What was lost or removed is not told as if it were there; a list behind it is a list like any other."""
    lines = woken(
        "# 2026-02-01\n\n### What was lost\n\n- All keys of the staging server\n\n"
        "### Kept\n\n- The tables of the shop\n"
    )
    assert "- What was lost: All keys of the staging server" in lines
    assert "- The tables of the shop" in lines


def test_a_lead_holds_for_its_own_list_alone():
    """The items below an item are its own; the next item of the list above is none of them."""
    page = "# 2026-02-01\n\n- Never:\n  - Push to the main branch on Fridays\n- Write the tests of the parser first\n"
    lines = woken(page)
    assert "- Never: Push to the main branch on Fridays" in lines
    assert "- Write the tests of the parser first" in lines


def test_signs_of_a_state_are_told():
    """`✅` and `❌` say how something stands; other pictures are decoration."""
    lines = woken(
        "# 2026-02-01\n\n## Shop\n\n- ✅ Login of the shop works\n- ❌ Payment by card works\n- 🎉 Opened it\n"
    )
    assert {"- ✅ Login of the shop works", "- ❌ Payment by card works", "- Opened it"} <= set(lines)


def test_one_line_states_a_record():
    """Of a decision with its reasons the choice stands among the decisions; the reasons are lines like any other."""
    page = (
        "# 2026-02-01\n\n## Decisions\n\n- Use the Larch client for the deploys\n"
        "  - The Pine client has issues with tokens\n  - Larch answers at once\n"
    )
    text = "\n".join(woken(page))
    part = text.partition("## Decisions\n")[2].partition("\n## ")[0]
    assert "Use the Larch client for the deploys" in part
    assert "Pine" not in part


def test_what_was_done_states_nothing_that_is_open():
    """Of a blocker that no line states by itself the lines of its entry do, but for those that say what was done."""
    read = excerpt.read(
        "# Day\n\n- Fixed: the link of the kiln, and it was to be added\n- Still pending: the glaze\n- [x] Wood\n"
    )[1:]
    address = Address(3, "abc", 1)
    lines = [line._replace(address=address) for line in read]
    record = Fragment("blocker", "The kiln and what belongs to it", (address,))
    kinds, stating = record_lines.kinds_of(lines, [record])
    assert kinds == ["", "blocker", ""]
    assert stating == {1: record}


def test_a_table_behind_a_record_does_not_state_it():
    """Rows are lines like any other, where the words before them state the record; a row alone may be one."""
    read = excerpt.read("# Day\n\nTwo kilns and what they burn:\n\n| Kiln | Burns |\n|---|---|\n| old | oak |\n")[1:]
    address = Address(3, "abc", 1)
    lines = [line._replace(address=address) for line in read]
    record = Fragment("decision", "We keep both of the kilns", (address,))
    assert record_lines.kinds_of(lines, [record])[0] == ["decision", ""]
    assert record_lines.kinds_of(lines[1:], [record])[0] == ["decision"]


def test_a_line_with_its_label_and_its_reason_states_a_record():
    """A choice is stated by the line that begins with it, without the name of its kind; what came of it is none."""
    lines = woken("# Log\n\n**Decision:** Use callbacks\n**Rationale:** The UI must not poll\n**Impact:** Live bars\n")
    assert "- Use callbacks; why: The UI must not poll" in lines
    assert not any("Use callbacks" in line and "Impact" in line for line in lines)


def test_a_label_that_says_more_than_the_kind_is_told():
    """Whose a task is, who chose, and what came of a choice stand in the label, which is told with the line then."""
    labels = ("TODO (Ben)", "Question (for Ana)", "Blocker (since Monday)", "Rejected decision", "用户决定")
    rows = "".join(f"- **{label}:** paint wall {number}\n" for number, label in enumerate(labels))
    lines = woken(f"# Log\n\n{rows}- **TODO:** call the mason\n- **待办：** 更新文档\n")
    for number, label in enumerate(labels):
        assert any(label in line and f"wall {number}" in line for line in lines), label
    assert {"- call the mason", "- 更新文档"} <= set(lines)


def test_a_record_is_told_behind_its_subject():
    """Where the register says what a record is about, its line says it too, in the place of the line's label."""
    assert record_lines.lead("Skip it, the fetcher does", "Summaries: Skip it, the fetcher does") == (
        "Summaries: ",
        False,
    )
    assert record_lines.lead("Decision: Skip it", "Summaries — Dead End: Skip it") == ("Summaries — Dead End: ", True)
    assert record_lines.lead("Response: quick", "Security — Response: ✅ quick") == ("Security — ", False)
    assert record_lines.lead("Skip it", "2026-02-01 notes: Skip it") == ("", False)
    assert record_lines.lead("Skip it", "The day of Ada: Skip it", title="The day of Ada") == ("", False)


def test_a_detail_says_what_it_is_about():
    """`Location: ...` tells nothing without the heading above it; what names its subject has it already."""
    lines = woken(
        "# 2026-02-01\n\n## Ledger Import\n\n- Location: `tools/load.py` of the old branch\n"
        "- Status: ledger import waits for the bank\n"
    )
    assert "- Ledger Import: Location: `tools/load.py` of the old branch" in lines
    assert "- Status: ledger import waits for the bank" in lines


def test_a_detail_with_a_compound_label_says_what_it_is_about():
    """`服务器地址` is the address of a server that the heading names; below `系统状态` a label says it itself."""
    lines = woken(
        "# 2026-02-01\n\n## 陶窑系统v4.0部署\n\n- 服务器地址: a.example:21\n\n"
        "## 系统状态\n\n- 任务状态: 两个陶窑的釉料还没有运到\n"
    )
    assert "- 陶窑系统v4.0部署: 服务器地址: a.example:21" in lines
    assert "- 任务状态: 两个陶窑的釉料还没有运到" in lines


def test_what_waits_to_be_done_states_what_is_open():
    """`待解决` (to be solved) has the word for solved, and is open: the blocker stands among the blockers."""
    lines = woken("# 2026-02-01\n\n## 项目状态\n\n### 陶窑系统v4.0\n\n- **数据库**: 连接问题待解决\n")
    assert lines[lines.index("## Blockers") + 1] == "- 陶窑系统v4.0 — 数据库: 连接问题待解决"


def test_an_old_open_point_says_its_day():
    """What may have ended since has its day behind it once three instances have come; a rule has none."""
    pages = [f"# 2026-02-0{day}\n\n- The lamps of hall {day} were painted in green and brass.\n" for day in range(4, 8)]
    first = (
        "# 2026-02-03\n\n## TODO\n\n- [ ] Call the bank about the ledger\n\n"
        "## Rules\n\n- Never close the gate at noon\n"
    )
    lines = woken(first, *pages)
    assert "- Call the bank about the ledger (3 Feb)" in lines
    assert "- Never close the gate at noon" in lines


def test_a_rule_ends_by_no_word_of_time():
    """What somebody stated as a rule or a choice is told however old it is, though it says `only` or `now`."""
    pages = [f"# 2026-02-{day:02}\n\n- The lamps of hall {day} were painted in green.\n" for day in range(4, 20)]
    lines = woken("# 2026-02-03\n\n## Rules\n\n- Use the local voice only from now on\n", *pages)
    assert "- Use the local voice only from now on" in lines


def test_the_title_of_a_page_stands_beside_its_day():
    """What a day was about heads its lines, and is no line of its own; its day is said once."""
    lines = woken("# 2026-02-03 - The Kiln Rebuilt\n\n- The door was hung anew.\n", budget=8_000)
    assert "## 3 February 2026, instance 1: The Kiln Rebuilt" in lines
    assert not any(line.startswith("- ") and "Kiln Rebuilt" in line for line in lines)


def test_a_title_alone_heads_nothing():
    """Where no line of a page is told, its title is not told either: it would head nothing."""
    day = {1: "3 February 2026", 2: "9 March 2026"}
    note = {
        number: Fragment("note", "The door was hung", (Address(number, "abc", 1),), when=day[number]) for number in day
    }
    own = quality.Quality(frozenset(), 0.0, is_volatile=False)
    title = candidate("journal/instance-1.md", note[1], "- The Kiln\n", own, title="The Kiln")
    other = candidate("journal/instance-2.md", note[2], "- The Gate\n", own, title="The Gate")
    line = candidate("journal/instance-2.md", note[2], "- The door was hung\n", own)
    text = render.excerpts([title, other, line], {0, 1, 2}, brief=True)
    assert text == "## 9 March 2026, instance 2: The Gate\n- The door was hung\n"


def test_titles_of_one_day_are_lines():
    """Where the lines of several journals stand below one day, each title is told as a line: none is lost."""
    pages = [f"# 2026-02-03 - The {name} Rebuilt\n\n- The {name} was paid in silver.\n" for name in ("Kiln", "Gate")]
    text = "\n".join(woken(*pages, budget=8_000))
    assert "## 3 February 2026, instances 1 to 2\n" in text
    assert "The Kiln Rebuilt" in text
    assert "The Gate Rebuilt" in text


def test_what_is_compared_has_no_signs():
    """A line is judged by its words, whatever sign stands before them."""
    assert line_text.unsigned("✅ Login works, ❌ payment fails") == "Login works, payment fails"


def test_what_has_no_day_or_does_not_end_stays_as_it_is():
    """What has no day, a kind that does not end and a new point have no day; an own day and another year are said."""
    plain = Fragment("note", "Call the bank", (), when="3 March 2026")
    assert line_fragments.dated(plain._replace(when=""), "task", 9, 2026).text == "Call the bank"
    assert line_fragments.dated(plain, "constraint", 9, 2026) is plain
    assert line_fragments.dated(plain, "task", 2, 2026) is plain
    assert line_fragments.dated(plain, "task", 3, 2026).text == "Call the bank (3 Mar)"
    assert line_fragments.dated(plain, "task", 3, 2027).text == "Call the bank (3 Mar 2026)"
    for lead in ("[2026-02-27] ", "2026-02-27: ", "(27 Feb 2026) ", "27.02.2026 – ", "2026年2月27日："):
        own = plain._replace(text=f"{lead}Call the bank")
        assert line_fragments.dated(own, "task", 3, 2026).text == "Call the bank (27 Feb)"
    for text in ("2026-03-31: Call the bank", "2026-02-27 is a Friday"):
        assert line_fragments.dated(plain._replace(text=text), "task", 3, 2026).text == f"{text} (3 Mar)"
    assert line_fragments.dated(plain._replace(text="[2026-13-40] Call"), "task", 3, 2026).text.endswith("Call (3 Mar)")


def test_the_line_above_is_no_subject():
    """What a record says before a line leads it only where it ends as a subject or a label does."""
    record = "My directive: test it at noon Proof point: if bowls arrive, it works"
    assert record_lines.lead("Proof point: if bowls arrive, it works", record) == ("", False)
    assert record_lines.lead("test it at noon", "Kiln: test it at noon") == ("Kiln: ", False)


def test_a_record_below_a_lead_says_its_subject_once():
    """What leads its list and what the record says before its words are not both told."""
    text = life.lived(
        ["# 2026-01-02\n\n## Kiln skill\n\n**Requirement:**\n- Always fire twice\n- Never open it warm\n"]
    ).woken(2_000)
    assert "Never open it warm" in text
    assert "Requirement: Requirement" not in text
    line = Excerpt("Kiln: \u2705 Fire it twice", SourceLine("Fire it twice", 0), None, "")
    assert line_fragments.write(line, salience.NOTHING, "Skill: ")[0].text == "Skill: \u2705 Fire it twice"


@pytest.mark.parametrize("budget", [2_000, 12_000])
@pytest.mark.parametrize("heading", ["已暂停", "On hold", "En pause", "보류"])
def test_a_line_of_work_that_is_paused_says_so(tmp_path, heading, budget):
    """An import pauses what stands below such a heading: no wake tells it as what goes on."""
    page = f"# 2026-03-01\n\n## In progress\n\n- Move the mail site\n\n## {heading}\n\n- Train the voice model\n"
    adapter.session(str(tmp_path), "2026-03-01.md", page, "2026-03-02T00:00:00Z")
    lines = adapter.woken(str(tmp_path), budget).text.split("\n")
    at = next(at for at, line in enumerate(lines) if "Train the voice model" in line)
    assert "paused" in "".join(lines[at : at + 3])
    own = next(at for at, line in enumerate(lines) if "Move the mail site" in line)
    assert "paused" not in lines[own]


def test_a_line_that_says_what_was_noticed_in_it_is_not_told_beside_it():
    """The words of a record that waits for a word stand in the prose of its session too, with the path of a file."""
    at, other = Address(1, "abc", 2), Address(2, "abd", 2)
    words = "The lamp of the harbour is lit by a relay of its own"
    record = Fragment("noticed decision", words, (Address(1, "abc", 7),), fields=(("source", "agent"),))
    waiting = record_lines.waiting([record])

    def line(text, address):
        return Excerpt(text, SourceLine(text, 0), address, "")

    assert record_lines.repeats(line(f"{words}. (src/pier/lamp.py)", at), waiting)
    assert not record_lines.repeats(
        line(f"{words}, and its wire goes below the northern pier to the mill", at), waiting
    )
    assert not record_lines.repeats(line(f"{words}.", other), waiting)
