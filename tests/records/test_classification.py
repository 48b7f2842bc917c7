"""What kind of idea a piece of hand-written text is."""

from __future__ import annotations

import time

import pytest
from document_strategies import LINES, TEXTS
from hypothesis import given
from hypothesis import strategies as st

from sleep.documents import journal
from sleep.documents.hand.annotation import mark
from sleep.language.acts.speech import is_speech, speakers
from sleep.records.address import InstanceId
from sleep.records.classification import asked_kind, heading_kind, is_rule, label_kind, text_kind
from sleep.records.kinds import ENTRIES

# What a person who keeps a journal would write, by the kind that a reader would call it, and what only sounds like it.
YES = {
    "decision": [
        "We decided to use flock for the lock.",
        "Decided against filelock, it is too slow.",
        "I chose SQLite over Postgres because there is one writer.",
        "Went with plain Markdown, so that people can read it.",
        "**Decision:** keep the journal append-only",
        "The team agreed to drop Python 3.10.",
        "It was decided that retries stop after three.",
        "Picked httpx rather than requests for the async client.",
        "We will not support Windows in this release, we will use POSIX locks.",
        "Settled on one file a topic.",
        "决定使用文件锁。",
        "我们采用了 Markdown 格式。",
    ],
    "question": [
        "Should the lock be released on a crash?",
        "Open question: how do we merge two journals?",
        "It is unclear whether hooks run on resume.",
        "We still need to figure out who owns the token.",
        "TBD: the name of the command.",
        "Not yet decided: where snapshots live.",
        "**Question:** do we keep the old reader",
        "Need to find out if the API paginates.",
        "Consider whether to shard the index.",
        "这个锁需要支持 Windows 吗？",
        "尚未决定是否使用缓存。",
    ],
    "doubt": [
        "I'm not sure this is right.",
        "Not convinced that the cache helps.",
        "I suspect the retry hides a race.",
        "The parser may be wrong about tabs.",
        "This feels fragile.",
        "The benchmark numbers look suspicious.",
        "**Doubt:** the ratio is met by luck",
        "I doubt that users will read this.",
        "The fix might be a mistake.",
    ],
    "constraint": [
        "Never push to main.",
        "Always run the tests before a commit.",
        "Do not store secrets in the journal.",
        "Hooks must not print to stdout.",
        "Don't deploy on Fridays.",
        "Only the owner may rotate the keys.",
        "No file is deleted without explicit approval.",
        "Ask before touching the production database.",
        "**Rule:** one writer at a time",
        "Commits to the release branch are forbidden.",
        "The snapshot has at most 2000 tokens.",
        "必须先跑测试。",
        "不要提交密钥。",
    ],
    "thread": [
        "The migration to the new parser is in progress.",
        "PR #64 is awaiting review.",
        "Paused: the dashboard, until the API is stable.",
        "Phase 2 of 3 of the rewrite has begun.",
        "The relay work is ongoing.",
        "WIP: search by address.",
        "Waiting for the vendor to answer about the licence.",
        "The docs are 60% done.",
        "迁移正在进行中。",
    ],
    "task": [
        "TODO: write the recovery page.",
        "The index still needs to be rebuilt.",
        "Next step: measure the hook.",
        "Follow-up needed on the flaky test.",
        "The Windows port is not yet implemented.",
        "**Next:** cut a release",
        "The error texts remain to be written.",
        "Tests for undo are to be added.",
        "待处理：更新文档。",
    ],
    "dead end": [
        "Tried filelock, but it was too slow.",
        "**Tried:** a daemon",
        "Polling did not work because the file is replaced.",
        "This approach was a dead end.",
        "Vercel won't work for a binary that runs for hours.",
        "Initially tried the hosted model, but the balance was used up.",
        "Offloading to the processor is impractical for large models.",
        "Applied the fix to both hooks but the client still hung.",
        "We ruled out a database.",
        "I tried to patch the parser but gave up.",
        "Gave up on the regular expression.",
        "Tried three versions of the client, no luck.",
    ],
    "insight": [
        "It turns out that git sorts the tree by bytes.",
        "Root cause: the cache was keyed by name.",
        "I learned that fsync is needed twice.",
        "The trick is to read from the last offset.",
        "Discovered that hooks inherit the environment.",
        "**Insight:** most sessions are short",
        "Found that 3 of 4 errors are timeouts.",
        "Gotcha: mtime has a resolution of one second here.",
        "根本原因是时区。",
    ],
    "change": [
        "Added a test for the lock.",
        "Fixed the off-by-one in the reader.",
        "Renamed `foo` to `bar`.",
        "Merged PR #12.",
        "✅ Deployed v2 to staging.",
        "Refactored the settings.",
        "**Done:** the importer",
        "Updated the changelog.",
        "Removed dead code from the parser.",
    ],
    "tone": [
        "It felt good to see it pass.",
        "I was surprised by how fast it is.",
        "**Tone:** calm and focused",
        "I'm worried about the deadline.",
        "Frustrating: three hours for one comma.",
        "This feels like the right shape.",
        "I am proud of the small API.",
        "Surprisingly, nobody complained.",
    ],
    "relation": [
        "The snapshot depends on the ledger.",
        "The dashboard talks to the relay over a socket.",
        "`history.py` is used by the hooks.",
        "The client wraps the transport.",
        "Transcripts feed into the digest, and the digest feeds into hot memory.",
        "The relay connects to NATS.",
        "Search is built on top of the index.",
        "The gate depends on the register.",
    ],
    "blocker": [
        "**Blocked:** no access to the server",
        "Blocker: the licence is missing",
        "**Blocked by:** review",
        "Blocked on: the vendor",
        "Added the sign-in page, still needs credentials from Ana",
        "**Blocker:** CI is down",
        "Blockers: none of the runners start",
        "- **Blocked on:** DNS",
        "* Blocker: disk is full",
    ],
    "handoff": [
        "**Handoff:** start with the tests",
        "Handoff: read the gate first",
        "Hand-off: the branch is green",
        "**For my successor:** trust the tests",
        "For my successor: the cache lies",
        "For next session: finish undo",
        "**For next instance:** look at the lock",
        "- Handoff: all is pushed",
    ],
    "fix": [
        "**Fix:** reset the pointer before the second read",
        "Fix: the fixture closes its socket now",
        "Bug fix: a stale lock is taken over",
        "**Bugfix:** sorted by bytes",
        "**Fix applied:** the clock is passed in",
        "- **The fix:** wait for the index",
        "Behoben: der Zeiger wird zurückgesetzt",
        "修复：重置指针",
    ],
}
NO = {
    "decision": [
        "Fixed the bug in the reader.",
        "Deployed v2 to staging.",
        "The cache holds 200 entries.",
        "Ran the tests on Linux and macOS.",
        "The parser reads one line at a time.",
        "修复了一个错误。",
    ],
    "question": [
        "Should we use flock? Yes, because it is there.",
        'He asked "does it work?" and it did.',
        "The FAQ answers the usual questions.",
        "Answered the question of the lock yesterday.",
        "The query has a `?` in it, which is fine.",
    ],
    "doubt": [
        "I'm sure this is right.",
        "The tests pass.",
        "Without doubt the fastest way, and it is measured.",
        "The wall was wrongly painted.",
        "Fixed the suspicious-activity page.",
    ],
    "constraint": [
        "The server always returns JSON.",
        "It never worked on Windows.",
        "The tests don't work on macOS.",
        "I must have been tired.",
        "The file was never read.",
        "Updated the rules page.",
    ],
    "thread": [
        "Finished the migration.",
        "The threads of the pool are joined.",
        "Closed PR #64.",
        "The build takes two minutes.",
        "Wrote the first phase of the plan.",
    ],
    "task": [
        "Published the package.",
        "The list of done things is long.",
        "Implemented undo.",
        "The scheduler runs tasks in order.",
        "We are done here.",
    ],
    "dead end": [
        "Tried filelock and kept it.",
        "The street ends at the park.",
        "It works because of the lock.",
        "The test failed once.",
        "Retried the upload.",
    ],
    "insight": [
        "Read the manual.",
        "The root directory is configurable.",
        "Added a lookup table.",
        "We talked about lunch.",
        "The founder wrote the parser.",
    ],
    "change": [
        "The address is fixed-width.",
        "We add tests first.",
        "A merged cell spans two columns.",
        "An updated page is shown to readers.",
        "The setup is simple.",
    ],
    "tone": [
        "The felt on the table is green.",
        "Wrote a feeling-lucky button.",
        "The service is up.",
        "Moved the mood board.",
        "It is fast.",
    ],
    "relation": [
        "Dependencies were updated.",
        "The meeting is at noon.",
        "Wrapped up for today.",
        "A connection was lost.",
        "Food was good.",
    ],
    "blocker": [
        "Nothing is in the way.",
        "The block size is 4096.",
        "Unblocked the pipeline.",
        "Removed the `:ro` flag of the mounts (the lamp needs write access)",
        "An ad blocker is installed.",
        "The road is blocked off in the game.",
    ],
    "handoff": [
        "The baton was passed.",
        "Hands off the keyboard.",
        "My successor is named later.",
        "The next session is on Monday.",
        "A hand-off-shaped hole.",
    ],
    "fix": [
        "Fixed the bug in the reader.",
        "The prefix is stripped.",
        "Fix the build before Monday.",
        "The address is fixed-width.",
        "A fix is needed for the parser.",
    ],
}
CASES = [(kind, text) for kind, texts in YES.items() for text in texts]
OTHERS = [(kind, text) for kind, texts in NO.items() for text in texts]


def test_enough():
    """Every kind but the note has at least eight texts that are of it and five that are not."""
    assert set(YES) == set(NO) == set(ENTRIES) - {"note"}
    assert min(map(len, YES.values())) >= 8
    assert min(map(len, NO.values())) >= 5


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_is(kind, text):
    """A text that states such an idea is of its kind, also as an item of a list."""
    assert text_kind(text) == kind
    assert text_kind(f"- {text}") == kind


@pytest.mark.parametrize(("kind", "text"), OTHERS)
def test_is_not(kind, text):
    """A text that only sounds like it is of another kind."""
    assert text_kind(text) != kind


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        *(
            ("Open questions", "question"),
            ("Questions", "question"),
            ("Decisions needed", "question"),
            ("待确认", "question"),
        ),
        *(
            ("Decisions", "decision"),
            ("Key decisions made", "decision"),
            ("3. Design Decisions", "decision"),
            ("决策", "decision"),
        ),
        *(("Constraints", "constraint"), ("Hard rules", "constraint"), ("Never", "constraint"), ("规则", "constraint")),
        *(
            ("Next steps", "task"),
            ("TODO", "task"),
            ("✅ Action items", "task"),
            ("Follow-ups", "task"),
            ("Next session should", "task"),
            ("Next session goals", "task"),
            ("Next steps for future development", "task"),
            ("What has not been started", "task"),
            ("STILL OPEN / DEFERRED", "task"),
            ("Still open / decided", ""),
            ("Next session: what we should have done", ""),
            ("待办事项", "task"),
            ("Explicit next actions", "task"),
            ("Next steps for Local Models", "task"),
            ("Do these first (in order)", "task"),
            ("Needs browser testing", "task"),
            ("Waiting on Ana", "task"),
            ("Things to remember tomorrow", "task"),
            ("New commitments", "task"),
            ("Open loops", "task"),
            ("Open bugs", "task"),
            ("Parked / later", "task"),
            ("Still pending", "task"),
            ("Pending next session", "task"),
            ("Optional next steps", "task"),
            ("Exact steps for the next run", "task"),
            ("Known bugs / tech debt", "task"),
            ("What is missing (not yet built)", "task"),
            ("次のアクション", "task"),
            ("What was rejected", "dead end"),
            ("Steps for the release of the next version", ""),
            ("Guest preferences observed", ""),
            ("User preferences observed", "constraint"),
            ("Files that must not be edited directly", "constraint"),
            ("Known bugs", "task"),
            ("Offene Premium-Punkte nach Umzug", "task"),
            ("Offene nächste Schritte (empfohlen)", "task"),
            ("待完成的任務（3-5）", "task"),
            ("Questions for Ana", "question"),
            ("CEO directive #12", "constraint"),
            ("Ana's preferences", "constraint"),
            ("Things I tried that failed", "dead end"),
        ),
        *(("In progress", "thread"), ("Active threads", "thread"), ("进行中", "thread"), ("Blockers", "blocker")),
        *(("Known issues / blockers", "blocker"), ("What failed / blockers", "blocker"), ("Known issues", "")),
        *(
            ("Lessons learned", "insight"),
            ("What I learned", "insight"),
            ("Gotchas", "insight"),
            ("Landmines", "insight"),
            ("经验教训", "insight"),
        ),
        *(
            ("Handoff", "handoff"),
            ("Where we left off (24 April)", "handoff"),
            ("Where the data goes", ""),
            ("Note to self", "handoff"),
            ("Tone", "tone"),
            ("Dead ends", "dead end"),
            ("Dead ends — do not retry", "dead end"),
            ("What didn't work (tried and reverted)", "dead end"),
            ("What did not work", "dead end"),
            ("What didn't work and lessons learned", ""),
            ("Doubts", "doubt"),
        ),
        *(("Priority queue for next session", "task"), ("To resume", "task"), ("Priority inheritance", "")),
        *(("Open GitHub issues — 7", "task"), ("Open sewer issues", "")),
        *(("Fixes", "fix"), ("Bug fixes", "fix"), ("Fixes made", "fix"), ("Fix discipline", ""), ("修复记录", "fix")),
        *(("Changes", "change"), ("What was done", "change"), ("Completed (2026-11-21)", "change"), ("完成", "change")),
        *(
            ("Sync engine", ""),
            ("2026-11-21", ""),
            ("", ""),
            ("Questionable taste", ""),
            ("The decision tree module", ""),
            ("Rulebook parser", ""),
        ),
        *(("Key decisions today", "decision"), ("Tasks", "task"), ("Test plan", "task"), ("Roadmap", "task")),
        *(
            ("Rollback plan", "note"),
            ("Best practices", "constraint"),
            ("Mitigation", "constraint"),
            ("Awaiting review", "task"),
        ),
        *(
            ("Proposals awaiting review", "task"),
            ("Nächste Schritte", "task"),
            ("Preguntas", "question"),
            ("決定事項", "decision"),
        ),
        *(("制約", "constraint"), ("다음 단계", "task"), ("Правила", "constraint"), ("question - ask the user", "")),
    ],
)
def test_heading(title, kind):
    """A heading that says what stands below it is understood, decorated, in any language or not; others say nothing."""
    assert heading_kind(title) == kind


@pytest.mark.parametrize(
    ("text", "section", "kind"),
    [
        ("Windows", "question", "question"),
        ("use flock", "decision", "decision"),
        ("write the page", "task", "task"),
        ("who owns the token?", "task", "question"),
        ("PR #3 is awaiting review", "task", "thread"),
        ("Always check the lock first.", "insight", "constraint"),
        ("The lock is slow on NFS.", "insight", "insight"),
        ("Added a test.", "change", "change"),
        ("We decided to use flock.", "change", "decision"),
        ("**Question:** who?", "decision", "question"),
        ("~~write the page~~", "task", "change"),
        ("Last updated: 2026-11-21", "decision", "note"),
        ("plain words", "", "note"),
        ("Ran the health check over all jobs. Found nine that fail.", "decision", "change"),
        ("**Invoice job fixed** — added the missing variable", "decision", "change"),
        ("The owner requested a market study of the app.", "decision", "change"),
        ("Mara asked about the jobs → full audit sent", "decision", "change"),
        ("CI-Job für die Rechnungen behoben", "decision", "change"),
        ("运行了全部测试", "decision", "change"),
        ("Token stored in the vault and used for the upload", "decision", "change"),
        ("Continue to watch. No user alert needed (all is green)", "task", "note"),
        ("Confirmed the login works with the new key", "decision", "change"),
        ("**Article published:** how the cache works", "decision", "change"),
        ("Ana confirmed: both ports stay", "decision", "decision"),
        ("Planned next steps: make the private repository", "decision", "task"),
        ("The mail plugin needs re-registration", "blocker", "task"),
        ("**Audio:** not yet configured for the long clips", "blocker", "task"),
        ("The mail server is offline", "blocker", "blocker"),
        ("The upload waits for Ana's approval", "blocker", "blocker"),
        ("The resolver is complete and clean ✅", "blocker", "change"),
        ("Plan 1 COMPLETE: the overlay floats above other windows", "blocker", "change"),
        ("Flaky clock test from before -- not blocking", "blocker", "note"),
        ("✅ **RESOLVED - Safety**: the box is closed now", "blocker", "change"),
        ("None block the next session. The check needs a deploy", "blocker", "note"),
        ("No failed approaches this session — the work was planned", "dead end", "note"),
        ("No approach to the cache works without a lock", "dead end", "dead end"),
        ("[Issues that affect future work]", "blocker", "note"),
        ("[The mail server](mail.md) is offline", "blocker", "blocker"),
        ("~~Running the tests beside the editor~~ - one instance only", "dead end", "dead end"),
        ("~~Running the tests beside the editor~~", "task", "change"),
        ("Need to verify that the page shows the data", "question", "task"),
        ("The cover needs regeneration when the server is back", "question", "task"),
        ("Die Rechnung ist noch nicht geprüft", "question", "task"),
        ("邮件问题未修复", "question", "task"),
        ("Ana hasn't responded to the three proposals", "question", "question"),
        ("Ob Ana zustimmt", "question", "question"),
        ("Option B: go through the proxy", "question", "note"),
        ("If Ana comes back, bring these:", "question", "note"),
        ("(none yet)", "question", "note"),
        ("方案二：走代理", "question", "note"),
        ('Ana asked: **"Does it show this?"** — not answered', "question", "note"),
        ("Added retries because the mail server drops one in ten", "decision", "decision"),
        ("Tests are merged by squash only", "decision", "decision"),
        ("None new this session", "decision", "note"),
        ("Two validators on the test net — should Ops run them? (awaiting Mara's decision)", "decision", "note"),
        ("Upgrade: still pending, to be asked again", "decision", "note"),
        ("Keine neuen Entscheidungen", "decision", "note"),
        ("暂无新决定", "decision", "note"),
        ("No VC money", "decision", "decision"),
        ("**Decision:** pending Mara", "", "note"),
        ("**Verdict:** overkill for a team of one", "", "insight"),
        ("**Verdict:** keep the old parser", "", "decision"),
        ("**Verdict:** the old parser wins for us", "", "decision"),
        ("Dropped the mail bridge, replaced with a web hook", "", "decision"),
        ("The importer intentionally doesn't read drafts", "", "decision"),
        ("Next run: ~02:25 (quiet hours)", "", "note"),
        ("Active tasks: clean", "", "note"),
        ("Nightly backup ✅", "constraint", "note"),
        ("Gateway page: STILL NEEDS UPDATE", "constraint", "note"),
        ("Added to the page, line 164", "constraint", "note"),
        ("✅ Commits under the bot's name are fine", "constraint", "constraint"),
        ("SubagentStart directive: IMPORTANT -> MANDATORY, tools named", "change", "change"),
        ("**Rule:** never push on Friday", "change", "constraint"),
        ('**Mara\'s directive:** "Can we publish it as a package?"', "", "note"),
        ("Critical: eleven errors in a row in the trading job", "", "insight"),
        ("**4. The mail rule (for good)**", "task", "note"),
        ("System stable, no action required", "", "note"),
        ("Key rotation — Ana declined.", "task", "change"),
        ("Mail bridge – no longer needed", "task", "change"),
        ("Ask Ana why she declined", "task", "task"),
    ],
)
def test_section(text, section, kind):
    """A text is what its section holds, unless its own label or words say otherwise."""
    assert text_kind(text, section) == kind


@pytest.mark.parametrize("text", ["Never push to main.", "**Decision:** x", "Why?", "plain"])
def test_box(text):
    """An open box is a task and a checked one a change, whatever it says."""
    assert text_kind(text, "decision", checked=False) == "task"
    assert text_kind(text, "decision", checked=True) == "change"


@pytest.mark.parametrize(
    "text",
    [
        "User: never push to main",
        "**Assistant:** We decided to use flock.",
        "[telegram:12] do not deploy",
        "human: should we?",
        "**System**: always answer in French",
    ],
)
def test_speech(text):
    """A line of a conversation is speech."""
    assert is_speech(text)


@pytest.mark.parametrize(
    "text", ["The user: a person.", "Assistants never sleep.", "**Decision:** x", "We decided.", "AI is a field"]
)
def test_no_speech(text):
    """A text that mentions who speaks is not speech."""
    assert not is_speech(text)


def test_speakers():
    """Names in bold speak when most of a text is theirs and each speaks more than once; labels in a journal do not."""
    talk = ["**Ana:** hi", "**Ben:** hello", "**Ana:** never do that", "**Ben:** we decided", "**Cy:** once"]
    assert speakers(talk) == {"Ana", "Ben"}
    assert is_speech("**Ana:** never do that", speakers(talk))
    assert not is_speech("**Cy:** once", speakers(talk))
    assert speakers(["**Decision:** x", "words", "more words"]) == frozenset()
    assert speakers([]) == frozenset()
    assert len(speakers([f"**N{index % 50_000}:** x" for index in range(100_000)])) == 50_000


@given(st.one_of(TEXTS, st.sampled_from(LINES), st.text()), st.sampled_from(["", *ENTRIES]))
def test_total(text, section):
    """Every text under every heading is of some kind, and no text breaks the reader."""
    assert text_kind(text, section) in ENTRIES
    assert heading_kind(text) in {"", *ENTRIES}
    assert label_kind(text) in {"", "status", *ENTRIES}
    assert isinstance(is_speech(text), bool)


PRINCIPLES = {
    "a command that answers a condition is a rule": [
        ("When the cache is cold, check it before the benchmark.", "insight", "constraint"),
        ("For large files, stream the rows rather than loading them.", "insight", "insight"),
        ("For large files: use a stream rather than a list.", "insight", "constraint"),
        ("When the cache is cold, requests are slow.", "insight", "insight"),
    ],
    "among lessons a command is a rule": [
        ("Keep one writer at a time.", "insight", "constraint"),
        ("Deep nesting makes mocks slow — use small builders", "insight", "constraint"),
        ("Test protocol: run `make check` before each push", "insight", "constraint"),
        ("Build caches are keyed by branch.", "insight", "insight"),
        ("Lifecycle: set during start, cleared at exit", "insight", "insight"),
        ("**Learning (User Preference):** short answers, no greetings", "", "constraint"),
    ],
    "a standing wish is a rule": [
        ("The user prefers plain words.", "", "constraint"),
        ("No network access by default", "", "constraint"),
        ("Added a rule: reuse before create", "change", "constraint"),
    ],
    "a description is no rule": [
        ("A missing file never crashes the reader.", "", "note"),
        ("Hooks don't fire in most tests.", "", "note"),
        ("The paths are always absolute.", "", "note"),
    ],
    "a choice is told by what it turns down": [
        ("The external registry was explicitly rejected, the chain is enough.", "", "decision"),
        ("Policy changed from `open` → `allowlist`", "change", "decision"),
        ("Direct upload is now the default path.", "", "decision"),
        ("No new tables", "decision", "decision"),
        ("**Rationale:** fewer moving parts", "decision", "insight"),
    ],
    "what is not known is asked": [
        ("Outcome depends on the vendor, decision pending", "", "question"),
        ("The cause is unknown.", "", "question"),
        ("timeouts in unknown tasks", "", "note"),
        ("`ve` — ?", "", "note"),
        ("Index repair — may be silently dropping rows", "blocker", "doubt"),
    ],
    "what is under way is a thread": [
        ("Downloading the model for the parallel test (31% at last check)", "", "thread"),
        ("Pages redone, partially complete.", "change", "thread"),
        ("**Open PRs:** #106, #103", "insight", "thread"),
        ("Active params: 3B against 4B", "", "note"),
    ],
    "a to-do may be done, or be a state": [
        ("✅ write the page", "task", "change"),
        ("write the page — ✅ **done** on 3 May", "task", "change"),
        ("Cleared the cache", "task", "change"),
        ("Review five proposals awaiting review", "task", "task"),
        ("**Problem:** the agent has its own settings", "task", "note"),
        ("Disk is 88% full — monitor", "", "task"),
        ("The publish is pending (server timeout)", "change", "task"),
        ("We would need to rewrite the client", "", "note"),
    ],
    "nothing is nothing": [
        ("None", "task", "note"),
        ("No open PRs in either repository", "thread", "note"),
        ("**Active tasks:** none in flight", "", "note"),
        ("暂停任务: 无", "", "note"),
    ],
    "when and by whom is no idea": [
        ("**Last updated:** 2026-02-04 21:46 GMT+8", "task", "note"),
        ("**Next heartbeat:** 19:25 AEDT", "", "note"),
        ("**最后更新**: 2026-02-04", "task", "note"),
        ("**Date:** 2026-02-17\n**Author:** somebody", "task", "note"),
    ],
    "a column of labels is as strong as its strongest line": [
        ("**State:** cleared\n**Rule:** one writer\n**Date:** today", "", "constraint"),
        ("**Status:** planned\n**Next action:** make the scaffold", "", "task"),
    ],
    "other languages say the same": [
        ("Wir haben uns für SQLite entschieden.", "", "decision"),
        ("Nunca subir secretos al repositorio.", "", "constraint"),
        ("ロックを使うことに決定した。", "", "decision"),
        ("本番では絶対に使用禁止。", "", "constraint"),
        ("아직 미정입니다", "", "question"),
        ("Миграция в процессе.", "", "thread"),
        ("Il reste à écrire les tests.", "", "task"),
    ],
}


@pytest.mark.parametrize(
    ("principle", "text", "section", "kind"), [(name, *case) for name, cases in PRINCIPLES.items() for case in cases]
)
def test_principle(principle, text, section, kind):
    """Each principle by which cues were chosen tells its texts from those that only look like them."""
    assert text_kind(text, section) == kind, principle


def kinds(text):
    """Return the kinds of the entries of a journal written by hand, in order."""
    own = InstanceId(9, "zzz")
    return [entry.kind for entry in journal.read(mark(text, own, {}), own).entries]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Open items**\n\n- the index\n", ["note", "task"]),
        ("**Tasks:**\n\n- the index\n\nPlain words.\n", ["task", "note"]),
        ("- **Tasks:**\n  - the index\n- plain words\n", ["task", "note"]),
        ("**Status:**\n\n- all is well\n- the migration is in progress\n", ["note", "thread"]),
        ("**Tasks:**\n\n- Lock:\n  - test it\n- the index\n", ["task", "task"]),
        ("## Next steps\n\n- the index\n\n### Rollback plan\n\n- go back\n", ["task", "note"]),
        ("## Next steps\n\n- the index\n\n---\n\nWritten by the night shift.\n", ["task", "note"]),
        ("## Decisions\n\n<!-- newest first -->\n", ["note"]),
        ("**New rule to add to NOTES.md:**\n\n```\nNever call twice.\n```\n", ["constraint"]),
        ("**Why not run it at once?**\n\n- people should look first\n", ["decision", "note"]),
        ("- [ ] As a [user], I want [action]\n", ["note"]),
        ("- [D1:3] **Ana:** we decided\n- [D1:4] **Ben:** never\n", ["note", "note"]),
    ],
)
def test_place(text, expected):
    """A label reaches as far as its list, a rule across the page ends a section, and a comment opens no record."""
    assert kinds(text) == expected


HOSTILE = (
    "a",
    " ",
    "- ",
    "**",
    "**a:** ",
    "(",
    "1) ",
    "when ",
    "not ",
    "a, ",
    "?",
    "。",
    "🚧",
    "[a] ",
    "no ",
    "\t",
    "_",
    "a:",
    "—",
    "use ",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile(piece):
    """A line of a megabyte of anything is judged at once."""
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    for section in ("", "task", "insight", "change"):
        text_kind(text + "?", section)
    heading_kind(text), label_kind(text), is_speech(text), speakers([text])
    assert time.process_time() - start < 2


def test_a_label_names_a_kind_or_nothing():
    """A label that only says where to look further (`**Build status:**`) gives what it introduces no kind."""
    assert label_kind("**Build status:**") == ""
    assert label_kind("**Open questions:**") == "question"


def test_a_label_of_work_says_nothing_else_in_a_list_of_records():
    """A fix below choices is told as one of them, and one of several ways to do a task is none."""
    assert text_kind("**Fix:** paint the wall", "decision") == "decision"
    assert text_kind("Option B: paint the wall", "task") == "note"


def test_a_lesson_for_now_is_no_rule():
    """What holds for the moment binds nobody later."""
    assert is_rule("Never merge it on a Friday")
    assert not is_rule("Never merge it for now")


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("bug Bugs issue feature todo error", "task"),
        ("idea proposal", "thread"),
        ("risk concern assumption", "doubt"),
        ("rule preference policy", "constraint"),
        ("lesson fact", "insight"),
        ("summary", "handoff"),
        ("decison Decisions", "decision"),
        ("xyzzy a", ""),
    ],
)
def test_a_kind_that_was_meant_is_known(names, kind):
    """A name that people take for a kind, or a kind that is mistyped, is known for the kind that there is."""
    assert {asked_kind(name) for name in names.split()} == {kind}
