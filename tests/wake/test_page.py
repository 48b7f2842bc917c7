"""A page that a reader wrote is taken line by line, told first, and lets go of what no longer holds."""

from __future__ import annotations

import json

import pytest
from processor_time import spent

from sleep.documents import journal
from sleep.errors import UsageError
from sleep.language import days, tokens
from sleep.wake import assembly, page, page_gate, page_lines, page_writer


@pytest.fixture
def lived(scene):
    """A memory of one instance with a rule, a decision and facts."""
    scene.open()
    scene.add("constraint", "Never round prices", why="an auditor compares them")
    scene.add("decision", "Use Postgres for the ledger", why="it locks rows")
    scene.add("note", "The API listens on port 8003; 8000 is taken by ComfyUI.")
    scene.add("note", "The importer does not retry: a second run books twice.")
    return scene


def _judged(scene, text, budget=2_000):
    return page_gate.judge(scene.view, text, budget)


def _refused(scene, text):
    return [refusal.why for refusal in _judged(scene, text).refused]


def test_a_line_is_given_the_entries_it_is_made_of(lived):
    """A line without addresses gets those of the fewest entries that hold its names and figures."""
    lines = _judged(lived, "- Port 8003 is the API's, for 8000 belongs to ComfyUI; the ledger is in Postgres.").lines
    texts = {str(entry.address): entry.words for entry in lived.view.journal("journal/instance-1.md").entries}
    assert sorted(texts[str(address)][:11] for address in lines[0].addresses) == ["The API lis", "Use Postgre"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("- The API listens on port 8004.", "8004"),
        ("- The ledger is kept in Redis and Postgres.", "Redis"),
        ("- Postgres never holds the ledger.", "never"),
        ("- The ledger runs `psql --force`.", "psql --force"),
        ("- Never use Postgres for the ledger.", "Never"),
        ("- 账本在京都的机房，用 Postgres。", "账本在京都的机房"),
        ("- Postgres [i99999999999999999999abc.1]", "i99999999999999999999abc.1"),
    ],
)
def test_what_the_entries_do_not_hold_is_refused(lived, line, why):
    """A figure, a name, a denial or a command that no entry has is named, and the line is not taken."""
    (refusal,) = _refused(lived, line)
    assert why in refusal


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Tiered memory is at v2.2.0 now.", "- Tiered memory 2.2.0 runs."),
        ("The web root is the FTP root `/` of Anvil.", "- Anvil: the web root is `/`."),
        ("Backups of Anvil go to `vault/2026/07-05/full`.", "- Anvil: backups go to `vault/YYYY/MM-DD/full`."),
    ],
)
def test_what_is_written_in_another_form_stands(lived, said, line):
    """A version without its letter, a name that is a sign, and a path with letters for its days are found."""
    lived.add("note", said)
    assert _judged(lived, line).refused == ()


@pytest.mark.parametrize(
    "line", ["- The importer retries.", "- Round prices.", "- Prices are rounded: an auditor compares."]
)
def test_a_denial_that_is_left_out_is_refused(lived, line):
    """A line that says a clause of its entry without its denial says the opposite; in other words it may stand."""
    assert "it leaves the denial out of" in _refused(lived, line)[0]
    assert _refused(lived, "- Avoid to round prices.\n- The importer books twice in a second run.") == []


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Der Importer wiederholt nicht: er bucht zweimal.", "- Der Importer wiederholt."),
        ("不要共享 `agentDir`，会导致会话冲突。", "- 共享 `agentDir`。"),
        ("Импорт не повторяет платежи.", "- Импорт повторяет платежи."),
    ],
)
def test_a_denial_is_kept_in_any_language(lived, said, line):
    """A line that drops the denial of its entry is refused in other languages too, and one that keeps it is taken."""
    lived.add("note", said)
    assert "it leaves the denial out of" in _refused(lived, line)[0]
    assert _refused(lived, f"- {said}") == []


def test_a_denial_of_another_language_holds_an_english_one(lived):
    """A line that begins with an English denial is held by an entry that denies in Chinese."""
    lived.add("note", "不要共享 `agentDir`，会导致会话冲突。")
    assert _refused(lived, "- Never share `agentDir`.") == []


def test_a_short_name_is_found_in_a_script_without_spaces(lived):
    """An entry that has a name of three characters among others is one that holds it."""
    lived.add("note", "保质期项目的所有测试要用浏览器。")
    lived.add("note", "Tests by requests with retries run slowly.")
    (line,) = _judged(lived, "- 保质期: tests by requests with retries run slowly.").lines
    assert [str(address).partition(".")[2] for address in line.addresses] == ["5"]


def test_a_name_and_its_number_are_one_name(lived):
    """A name with a number stands in no entry that has both apart; with a space between them it does."""
    lived.add("note", "GLM runs beside opus-4 and 5 others.")
    assert "GLM-5" in _refused(lived, "- GLM-5 runs.")[0]
    lived.add("note", "ClawChain is a layer 1 chain.")
    assert _refused(lived, "- ClawChain is a Layer-1 chain.") == []


def test_a_clause_that_denies_is_given_the_entry_that_says_it(lived):
    """Where no entry with the names of a line denies, the one that says all of the clause that does is added."""
    lived.add("note", "Needs API keys and embeddings, complex to set up: the old search of Anvil.")
    lived.add("note", "The tree of Anvil has no API keys.")
    (line,) = _judged(lived, "- Anvil, complex to set up with embeddings: no API keys.").lines
    assert [str(address).partition(".")[2] for address in line.addresses] == ["5", "6"]


@pytest.mark.parametrize("end", ["\r", "\r\n", "\x0b", "\u2028"])
def test_whatever_ends_a_line_ends_it(lived, end):
    """No line stands in another one's shadow, whatever parts them."""
    judged = _judged(lived, f"# Rules{end}- Never round prices.{end}- The ledger is in Redis.")
    assert [line.text for line in judged.lines] == ["# Rules", "- Never round prices."]
    assert [refusal.text for refusal in judged.refused] == ["- The ledger is in Redis."]


def test_a_page_drives_no_terminal(lived):
    """Escapes, signs that turn the direction of writing and a mark of the byte order are not written."""
    page_writer.write(lived.place, "\ufeff# Rules\n- Never \x1b[31mround\u202e prices.\n", 2_000)
    assert lived.text("memory/page.md").startswith("# Rules\n\n- Never round prices. [i1")


@pytest.mark.parametrize(
    "piece", ["`", " ", "- ", "[i1abc.1, ", "<", "1.", "- Never round prices. ", "- Never round prices.\n"]
)
def test_a_page_that_is_made_to_be_slow_is_not(lived, piece):
    """A page of 300,000 characters is judged in time, whatever it repeats."""
    assert spent(_judged, lived, f"- x{piece * (300_000 // len(piece))}y") < 3


def test_a_daily_log_is_called_by_its_day(lived):
    """A line may name the file of a day's log, though no entry of that day does; another day's it may not."""
    lived.add("note", "The password of Anvil lies with the owner.")
    day = days.first(journal.lines_of(lived.view.read("journal/instance-1.md"))[0])
    assert _judged(lived, f"- Anvil: password, see memory/{day}.md").refused == ()
    assert "1999-01-01.md" in _refused(lived, "- Anvil: password, see memory/1999-01-01.md")[0]


def test_a_denial_is_looked_for_among_those_that_hold_the_names(lived):
    """Of the entries that say a thing of one name, the one that denies holds a line that does."""
    lived.add("note", "The user of the shop on Hetzner is admin, and so is that of the wiki on Hetzner.")
    lived.add("note", "The shop on Hetzner has no other user.")
    (line,) = _judged(lived, "- The user of the shop on Hetzner is admin, no other.").lines
    assert [str(address).partition(".")[2] for address in line.addresses] == ["6"]


def test_an_address_must_hold_its_line(lived):
    """A line that names its entry is judged by that entry alone, and an entry that is not there is said."""
    first = lived.view.journal("journal/instance-1.md").entries[0].address
    assert "8003" in _refused(lived, f"- The API listens on port 8003. [{first}]")[0]
    assert "there is no entry i9abc.1" in _refused(lived, "- The API listens. [i9abc.1]")[0]


def test_a_secret_is_refused(lived):
    """A line with what looks like a secret is not written."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert _refused(lived, f"- The token is {token}.") == ["it holds what looks like a secret"]


def test_a_heading_is_no_way_around_the_gate(lived):
    """A heading with a secret and one as long as a claim are refused; what only begins with a sharp is a line."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    below = "\n- Never round prices."
    assert _refused(lived, f"# Token {token}{below}") == ["it holds what looks like a secret"]
    assert _refused(lived, f"# {'so it is ' * 20}{below}") == ["a heading is short: say it in a line"]
    assert "not in" in _refused(lived, f"#24 moves the ledger to Redis{below}")[0]
    assert _refused(lived, f"# Rules{below}") == []


def test_what_a_person_took_out_makes_no_line(lived):
    """A page may not bring back what a person deleted from a tier."""
    lived.sleep()
    hot = lived.text("memory/hot/context.md")
    lived.write("memory/hot/context.md", "".join(row for row in hot.splitlines(True) if "8003" not in row))
    lived.git("commit", "-qam", "the port is another")
    lived.open()
    lived.add("note", "Nothing more to say about it.")
    lived.sleep()
    assert _refused(lived, "- The API listens on port 8003.")


def test_what_was_rejected_is_told_no_more(lived):
    """A line that was made of a noticed record goes when somebody rejects that, and cannot be written again."""
    lived.run("journal.add", "--kind", "decision", "--text", "Move the ledger to Redis", "--standing", "noticed")
    page_writer.write(lived.place, "- The ledger is moved to Redis.\n", 2_000)
    (address,) = page.read(lived.text("memory/page.md"))[0].addresses
    lived.run("review.reject", str(address))
    assert page_lines.lines_that_hold(lived.view) == []
    assert _refused(lived, "- The ledger is moved to Redis.")


def test_a_record_of_two_addresses_is_missed_once(lived):
    """A record that was noticed and confirmed has two addresses, and is named once among those that no line tells."""
    lived.run("journal.add", "--kind", "constraint", "--text", "Keep three replicas", "--standing", "noticed")
    entries = lived.view.journal("journal/instance-1.md").entries
    lived.run("review.confirm", str(entries[-1].address))
    lived.sleep()
    missing = _judged(lived, "- The API listens on port 8003.").missing
    assert [len(fragment.addresses) for fragment in missing if fragment.text == "Keep three replicas"] == [2]


def test_what_has_no_room_is_refused(lived):
    """Lines beyond the budget are refused, those before it taken."""
    rows = "\n".join(f"- The API listens on port 8003, line {'so' * count}." for count in range(60))
    judged = _judged(lived, rows, 200)
    assert judged.lines
    assert judged.refused
    assert all(refusal.why.startswith("no room") for refusal in judged.refused)


def test_a_line_is_taken_once(lived):
    """The same line again is refused, and the room it would have taken stays free."""
    (refusal,) = _judged(lived, "- Prices are never rounded.\n- Prices are never rounded.").refused
    assert refusal.why == "a line above says it"


def test_records_that_no_line_tells_are_named(lived):
    """What somebody stated and no line cites is missing."""
    missing = _judged(lived, "- Prices are never rounded.").missing
    assert [fragment.text for fragment in missing] == ["Use Postgres for the ledger"]


def test_a_wake_tells_the_page_first_and_nothing_twice(lived):
    """The page's lines stand above the tiers, and a record that they tell is not told again."""
    page_writer.write(lived.place, "# Ledger\n\n- Never round prices: an auditor compares them.\n", 2_000)
    lived.sleep()
    text = lived.run("wake", "--peek", "--budget", "3000")[1]
    assert text.index("Never round prices: an auditor") < text.index("## Decisions")
    assert text.count("Never round prices") == 1
    assert "page" in text.partition("Ledger:")[2]


def test_a_line_whose_record_was_closed_drops_out(lived):
    """A line that cites a rule which was lifted since is told no more, and a new page that cites it is refused."""
    page_writer.write(lived.place, "- Never round prices.\n", 2_000)
    address = page.read(lived.text("memory/page.md"))[0].addresses[0]
    lived.sleep()
    lived.move("constraint", str(address), "lifted", "prices are whole now")
    text = lived.run("wake", "--peek", "--budget", "3000")[1]
    assert "- Never round prices.\n" not in text
    assert "is lifted: say what holds now" in _refused(lived, f"- Never round prices. [{address}]")[0]


def test_a_sleep_commits_the_page_and_leaves_it(lived):
    """The page is committed as it is, by the step that adopts what people wrote, and an undo leaves it."""
    page_writer.write(lived.place, "- Never round prices.\n", 2_000)
    before = lived.text("memory/page.md")
    lived.sleep()
    assert "memory/page.md" in lived.git("ls-files")
    lived.run("sleep.undo")
    assert lived.text("memory/page.md") == before


def test_a_page_that_fits_is_told_whole_and_a_long_one_by_its_best_lines(lived):
    """With little room some lines of a page are told, and the ledger says how many are not."""
    rows = "\n".join(f"- The API listens on port 8003, as line {'so' * count} says." for count in range(1, 60))
    page_writer.write(lived.place, rows, 20_000)
    assert "lines of page" in lived.run("wake", "--peek", "--budget", "600")[1]


def test_long_headings_leave_room_for_lines(lived):
    """Where the headings of a page take more than its lines, fewer lines are told, and not none."""
    rows = "\n".join(
        f"# {'heading ' * 14}\n- The API listens on port 8003, as line {'so' * at} says." for at in range(1, 60)
    )
    lines = _judged(lived, rows, 20_000).lines
    for budget in (60, 200, 600, 1_000):
        told = page_lines.fit(lines, budget)
        assert any(not line.is_heading for line in told)
        assert page_lines.cost(told) <= budget


def test_the_command_gives_the_material_and_takes_the_page(lived, tmp_path):
    """`wake.page` prints what to write and of what; `--write` judges, exits with 1 for a refused line, and writes."""
    told = lived.run("wake.page", "--budget", "1000")[1]
    assert "at most 1000 tokens" in told
    assert "- constraint: Never round prices" in told
    draft = tmp_path / "draft.md"
    draft.write_text("- Never round prices.\n- The API listens on port 9.\n", encoding="utf-8")
    code, said, _ = lived.run("wake.page", "--write", str(draft), "--dry-run", "--json")
    facts = json.loads(said)
    assert (code, facts["written"], len(facts["lines"]), len(facts["refused"])) == (1, False, 1, 1)
    assert not (lived.top / "memory/page.md").exists()
    code, said, _ = lived.run("wake.page", "--write", str(draft))
    assert code == 1
    assert "refused: - The API listens on port 9." in said
    assert (lived.top / "memory/page.md").read_text(encoding="utf-8").startswith("- Never round prices. [i1")


def test_bad_input_leaves_everything(lived, tmp_path):
    """A page that says nothing, a file that is not there and a budget that is too small are one clear error each."""
    for words, says in (
        (("--write", str(tmp_path / "none.md")), "none.md"),
        (("--budget", "10"), "200 to 20000"),
    ):
        code, _, error = lived.run("wake.page", *words)
        assert code
        assert says in error
    with pytest.raises(UsageError, match="a page has lines"):
        page_writer.write(lived.place, "# Only a heading\n", 2_000)
    assert not (lived.top / "memory/page.md").exists()


def test_an_old_page_says_of_when_it_is(lived):
    """From the fifth instance after a page's newest line on, a sleep, a wake and what is due say so."""
    lived.write(page.PATH, page.write(_judged(lived, "# Rules\n- Never round prices.").lines))
    lived.sleep()
    commands = (("sleep",), ("status",), ("wake", "--peek"), ("wake.check",))
    for number in range(2, 7):
        lived.open()
        lived.add("note", f"Shop {number} was opened.")
        if number < 5:
            lived.sleep()
        else:
            said = [lived.run(*words)[1] for words in commands]
            assert ["as of instance 1, and 5 were slept on since" in text for text in said] == [number == 6] * 4
    lived.open()
    lived.add("note", "Shop 7 was opened.")
    assert "as of instance 1, and 6 were slept on since" in lived.run("sleep.resume")[1]


def _sleeps(scene, times):
    for number in range(times):
        scene.sleep()
        scene.open()
        scene.add("note", f"Boat {number} left.")
    scene.sleep()


def test_the_age_of_a_page_fits_the_budget(lived):
    """What says that a page is old takes its room from the page's lines, never from beyond the budget."""
    for number in range(9):
        lived.add("note", f"Shop {number} of Riga sells {number} cups of clay to the harbour.")
    lines = "\n".join(f"- Shop {number} of Riga sells {number} cups of clay to the harbour." for number in range(9))
    lived.write(page.PATH, page.write(_judged(lived, f"# Shops\n{lines}", 20_000).lines))
    _sleeps(lived, 6)
    now = lived.now()
    for budget in range(200, 500, 9):
        text = assembly.peek(lived.place, now, budget=budget).text
        assert tokens.count(text) <= budget
        assert "This page is as of instance 1" in text
    assert lived.run("wake", "--peek", "--budget", str(budget))[1] == text


def test_a_page_of_no_instance_has_no_age(lived):
    """A page that a person wrote without addresses, like one that nobody wrote, is of no instance and not old."""
    _sleeps(lived, 6)
    assert not page.age(lived.view)
    lived.write(page.PATH, "# Rules\n\n- Never round prices.\n")
    assert not page.age(lived.view)


def test_a_sleep_that_does_nothing_says_nothing_of_the_page(lived):
    """Only a sleep that took a step says that the page is old."""
    lived.write(page.PATH, page.write(_judged(lived, "# Rules\n- Never round prices.").lines))
    _sleeps(lived, 6)
    assert "were slept on since" in lived.run("status")[1]
    assert "were slept on since" not in lived.run("sleep")[1]


def test_the_ordinal_of_an_entry_is_no_figure(lived):
    """A figure that stands in an entry's address alone holds no line, and decides not which entry holds one."""
    lived.add("decision", "Use store 9 for rows", why="it locks rows")
    lived.add("decision", "Use store 5 for rows", why="it locks rows")
    lines = _judged(lived, "- Use store 9 for rows.\n- Use store 5 for rows.").lines
    assert [str(address).partition(".")[2] for line in lines for address in line.addresses] == ["5", "6"]
    assert "`6`" in _refused(lived, "- Use store 6 for rows.")[0]


def test_a_line_that_a_merge_doubled_is_told_once(lived):
    """A page that a merge by hand left with the lines of both sides tells each line once."""
    lived.write("memory/page.md", "# Rules\n\n- Never round prices.\n- Use Postgres.\n- Never round prices.\n")
    assert [line.text for line in page_lines.lines_that_hold(lived.view)] == [
        "# Rules",
        "- Never round prices.",
        "- Use Postgres.",
    ]


def test_a_figure_may_stand_apart_from_its_unit(lived):
    """`120 s` and a bare 120 are held by an entry that says `120s`; 120 of another unit is not."""
    lived.add("note", "The terminal of Anvil keeps alive for 120s.")
    assert _refused(lived, "- Anvil's terminal: keep-alive 120 s.\n- Anvil's terminal keeps alive (120).") == []
    assert "`120`" in _refused(lived, "- Anvil's terminal: keep-alive 120 h.")[0]


def test_what_an_editor_or_a_merge_left_is_no_line(lived):
    """A byte order mark before the first heading, and the marks of a merge around two sides, are told by no wake."""
    lived.write(page.PATH, "\ufeff# Rules\n\n<<<<<<< HEAD\n- Round never\n=======\n- Round up\n>>>>>>> other\n")
    assert page_lines.text_of(page_lines.lines_that_hold(lived.view)) == "# Rules\n\n- Round never\n- Round up\n"


def test_what_both_sides_of_a_merge_changed_is_no_line():
    """Where a merge shows also what was there before both sides (`merge.conflictStyle` diff3), that holds no more."""
    text = "<<<<<<< HEAD\n- Round never\n||||||| 1234567\n- Round down\n=======\n- Round up\n>>>>>>> other\n"
    text += "||||||| the rest of another\n- Pay at noon\n"
    assert [line.text for line in page.read(text)] == ["- Round never", "- Round up", "- Pay at noon"]


def _handed_in(scene, text, code=0):
    scene.write("../page.md", text)
    assert scene.run("wake.page", "--write", "../page.md")[0] == code


def test_what_a_person_wrote_is_committed_before_the_page_is_written_anew(lived):
    """A page that somebody edited and did not commit is a commit of its own before another takes its place."""
    lived.write(page.PATH, "- What Ada wrote by hand.\n")
    _handed_in(lived, "- Never round prices.\n")
    assert lived.git("show", f"HEAD:{page.PATH}") == "- What Ada wrote by hand.\n"
    assert lived.git("log", "-1", "--format=%s") == f"sleep: adopt {page.PATH}\n"
    assert lived.text(page.PATH).startswith("- Never round prices.")


def test_a_page_that_is_handed_in_again_is_no_commit(lived, monkeypatch):
    """Who mends what was refused and hands the page in again makes no commit; another session's page becomes one."""
    monkeypatch.setenv("SLEEP_SESSION", "first")
    head = lived.head()
    _handed_in(lived, "- Never round prices.\n- Redis is fast.\n", code=1)
    first = lived.text(page.PATH)
    _handed_in(lived, "- Never round prices.\n- The API listens on port 8003.\n")
    assert lived.head() == head
    second = lived.text(page.PATH)
    monkeypatch.setenv("SLEEP_SESSION", "second")
    _handed_in(lived, "- The API listens on port 8003.\n")
    assert first != second == lived.git("show", f"HEAD:{page.PATH}")


def test_a_page_in_conflict_is_not_written(lived):
    """While a merge is under way the page that it left in conflict is not written over, and an error says why."""
    lived.git("add", "--all")
    lived.git("commit", "--quiet", "--message=all")
    for branch in ("one", "two"):
        lived.git("checkout", "--quiet", "-b", branch, "main")
        lived.write(page.PATH, f"- What {branch} says.\n")
        lived.git("add", "--all")
        lived.git("commit", "--quiet", f"--message={branch}")
    lived.git("merge", "one", check=False)
    before = lived.text(page.PATH)
    lived.write("../page.md", "- Never round prices.\n")
    code, _, err = lived.run("wake.page", "--write", "../page.md")
    assert code == 6
    assert "git merge --continue" in err
    assert lived.text(page.PATH) == before
