"""Reasons: where in a sentence, or beside it, stands why."""

from __future__ import annotations

import pytest

from sleep.compression import passages
from sleep.language.acts import reasons, statements
from sleep.language.acts.forms import Phrase
from sleep.transcripts.events import Event

INSIDE = [
    (
        "A branch stays in the repository (not checked out here, so that the worktree can use it).",
        "A branch stays in the repository",
        "not checked out here, so that the worktree can use it",
    ),
    ("We settled on SQLite because writers are few.", "We settled on SQLite", "writers are few."),
    (
        "I went with one file, since entries differ a thousandfold.",
        "I went with one file",
        "entries differ a thousandfold.",
    ),
    ("We chose flock, as it needs no server.", "We chose flock", "it needs no server."),
    ("I picked a queue so that a slow job cannot block.", "I picked a queue", "so that a slow job cannot block."),
    ("I renamed the type to avoid stutter.", "I renamed the type", "to avoid stutter."),
    ("Keep the old tag (because nobody has migrated).", "Keep the old tag", "nobody has migrated"),
    ("1. Keep our lock (that's what this branch is for).", "1. Keep our lock", "that's what this branch is for"),
    ("Drop the manual field — redundant with the new one", "Drop the manual field", "redundant with the new one"),
    ("Keep the parent's field, not handled by the loop", "Keep the parent's field", "not handled by the loop"),
    ("Drop the old field (not read by the new code)", "Drop the old field", "not read by the new code"),
    (
        "I went with flock — it needs no server and is simpler.",
        "I went with flock",
        "it needs no server and is simpler.",
    ),
    (
        "Write to a temp file beside it so the rename is atomic.",
        "Write to a temp file beside it",
        "so the rename is atomic.",
    ),
    (
        "Add the option, so authored pages line up with the old ones.",
        "Add the option",
        "so authored pages line up with the old ones.",
    ),
    (
        "Show the first eight letters (enough to tell them apart)",
        "Show the first eight letters",
        "enough to tell them apart",
    ),
    (
        "Lock the other path alone (the same path reuses a file)",
        "Lock the other path alone",
        "the same path reuses a file",
    ),
    ("Other work goes on here, so need to use a second tree", "need to use a second tree", "Other work goes on here"),
    ("Since nobody has state files, we dropped the migration.", "we dropped the migration.", "nobody has state files"),
    ("Nobody runs it on Windows, so we dropped the shim.", "we dropped the shim.", "Nobody runs it on Windows"),
    ("We dropped the lookup due to cost and latency.", "We dropped the lookup", "cost and latency."),
    ("I'll skip the mode, as those are large changes.", "I'll skip the mode", "those are large changes."),
    ("Use an env file as I do not want to expose keys", "Use an env file", "I do not want to expose keys"),
    ("All types are final — they are values by definition", "All types are final", "they are values by definition"),
    (
        "I added a width, which prevents columns from shrinking",
        "I added a width",
        "which prevents columns from shrinking",
    ),
    ("I enforced the sum — this preserves the order of rows", "I enforced the sum", "this preserves the order of rows"),
    ("Add a layer of ids so patches stay stable", "Add a layer of ids", "so patches stay stable"),
    (
        "We keep writing both files for backwards compatibility",
        "We keep writing both files",
        "for backwards compatibility",
    ),
    (
        "We keep writing both files for backwards compatibility in addition to the new one",
        "We keep writing both files",
        "for backwards compatibility in addition to the new one",
    ),
    (
        "Keep our row \u2014 parent's counts are already told by it",
        "Keep our row",
        "parent's counts are already told by it",
    ),
    ("Call ours max_size as well to be consistent.", "Call ours max_size as well", "to be consistent."),
    ("For speed, we'll split it into pages.", "we'll split it into pages.", "For speed"),
    (
        "Given the state of the branch, let me skip the request.",
        "let me skip the request.",
        "Given the state of the branch",
    ),
    ("I want to keep one file to avoid a merge.", "I want to keep one file", "to avoid a merge."),
    ("We need a lock to avoid a race of two workers.", "We need a lock", "to avoid a race of two workers."),
    ("I keep the rule since tests are left out already.", "I keep the rule", "tests are left out already."),
    ("The store needs a volume so your rows survive.", "The store needs a volume", "so your rows survive."),
    ("Wir nehmen flock, weil es ohne Server geht.", "Wir nehmen flock", "es ohne Server geht."),
    ("Wir nehmen flock, der Dienst ist uns zu langsam.", "Wir nehmen flock", "der Dienst ist uns zu langsam."),
    ("Wir bleiben bei flock: es braucht nur den Kern.", "Wir bleiben bei flock", "es braucht nur den Kern."),
    ("Die alte Sperre bleibt (kein Dienst braucht sie)", "Die alte Sperre bleibt", "kein Dienst braucht sie"),
    (
        "Das zweite Feld fliegt raus — überflüssig seit gestern",
        "Das zweite Feld fliegt raus",
        "überflüssig seit gestern",
    ),
    (
        "Beide Dateien bleiben stehen, aus Kompatibilitätsgründen",
        "Beide Dateien bleiben stehen",
        "aus Kompatibilitätsgründen",
    ),
    ("Wir nehmen eine Datei, was die Suche vereinfacht.", "Wir nehmen eine Datei", "was die Suche vereinfacht."),
    ("我们决定改用 flock，因为它不需要服务器。", "我们决定改用 flock", "它不需要服务器。"),
    ("我们决定改用 flock，服务器老是连不上", "我们决定改用 flock", "服务器老是连不上"),
    ("锁就用 flock 了：那个服务器已经不能再用。", "锁就用 flock 了", "那个服务器已经不能再用。"),
    ("旧的锁先保留（否则老版本读不了）", "旧的锁先保留", "否则老版本读不了"),
    ("两个文件我们都写，方便以后迁移数据", "两个文件我们都写", "方便以后迁移数据"),
    ("Nous avons choisi flock parce que le noyau suffit.", "Nous avons choisi flock", "le noyau suffit."),
    ("Hemos decidido usar flock para evitar otro servidor.", "Hemos decidido usar flock", "para evitar otro servidor."),
    ("Abbiamo scelto una coda perché i lavori sono lenti.", "Abbiamo scelto una coda", "i lavori sono lenti."),
    ("Decidimos usar uma fila já que há poucos leitores.", "Decidimos usar uma fila", "há poucos leitores."),
    ("We kiezen voor een rij omdat er weinig lezers zijn.", "We kiezen voor een rij", "er weinig lezers zijn."),
    ("Мы решили взять очередь, потому что писателей мало.", "Мы решили взять очередь", "писателей мало."),
    ("書き込みが少ないため、SQLite を使うことにしました。", "SQLite を使うことにしました。", "書き込みが少ないため"),
    ("读的人很多，所以我们决定加一层缓存。", "我们决定加一层缓存。", "读的人很多"),
    ("쓰는 사람이 적기 때문에 SQLite를 쓰기로 했습니다.", "SQLite를 쓰기로 했습니다.", "쓰는 사람이 적기 때문에"),
]
NONE = [
    "We sent it again to name the groups and to avoid a flat folder.",
    "We renamed the store and, to avoid a clash, moved the old one.",
    "Wir nennen die Gruppen um und, damit nichts kollidiert, verschieben wir die alte.",
    "**The row of kinds** (both sides have it) \u2014 keep",
    "Write the pages again \u2014 and the rows are already there",
    "The reader is mended \u2014 rows are red",
    "We have kept two files since 2019.",
    "We have kept two files since the last release is out.",
    "It says so when a file has changed since its entry or is gone.",
    "I decided to avoid locks.",
    "We keep the old file as it is.",
    "We leave the output as it is until Jonas answers.",
    "The tables stay as they were before the move.",
    "Leave the rows as they are, for now",
    "I want the old page to stay whole",
    "I'd like the reader to avoid a second pass",
    "I split the store: the index in memory, the log on disk.",
    "I use flock as the lock.",
    "We keep it as agreed.",
    "I moved the cache, and the tests pass.",
    "The lock is kept, so the tests changed.",
    "We switched since the last release.",
    "The lock is kept, so several tests were changed.",
    "We kept the old name (see the page)",
    "I kept the locks (not read) and the rest.",
    "Use one file per session, not two of them",
    "We chose two stores (now: memory, `disk`)",
    "For URL checks, I'll use the other library.",
    "We must make it so the page can be edited.",
    "A label is drawn only when it is near; otherwise it stays dark.",
    "We pay each invoice when it is due to them.",
    "Wir nehmen flock, und die Tests laufen wieder.",
    "Wir lesen die Seiten, die der Dienst geschrieben hat.",
    "我们决定改用 flock，以后请记得先跑测试",
    "缩放之前把方向信息丢掉了，所以缩略图没有旋转。",
    "次のリリースから、すべてのテストを必須にします。",
    "金曜日の朝これから、署名を必須にします。",
]


@pytest.mark.parametrize(("sentence", "words", "why"), INSIDE)
def test_a_reason_stands_apart_from_its_choice(sentence, words, why):
    """The words of the choice and those of the reason, neither told twice."""
    parts = reasons.split(sentence)
    assert parts
    assert (sentence[parts.start : parts.end].strip(), sentence[parts.why_start : parts.why_end]) == (words, why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Tests fail. The suite broke because the build is stale.", "the build is stale."),
        ("Since the error is of no use to anybody, I leave it out.", "the error is of no use to anybody"),
        ("The rule takes all of it (since `a` and `b` are letters here).", "`a` and `b` are letters here"),
        ("The build is stale, so the suite broke.", ""),
        ("The manual says “because we never tried it”.", ""),
    ],
)
def test_the_reason_of_a_finding_is_read_off_its_words(text, why):
    """A text that is kept whole gives its reason by a word for it; what came of it and a quotation are none."""
    assert reasons.find(text) == why


@pytest.mark.parametrize("sentence", NONE)
def test_what_only_follows_is_no_reason(sentence):
    """Since when, as what, two parts, and what came of it are no reasons."""
    assert reasons.split(sentence) is None


@pytest.mark.parametrize("text", ["没拿到测试账号，这条线动不了", "Die Rechte fehlen noch, der Server ist nur lesbar"])
def test_the_clauses_of_what_is_open_say_it_together(text):
    """What is in the way, and what is left to do, is told whole: neither of its clauses explains the other."""
    assert reasons.split(text) is not None
    assert reasons.split(text, is_open=True) is None


def test_only_a_rule_is_explained_by_any_sentence_behind_a_colon():
    """Behind a choice a colon mostly says what its parts are."""
    rule = "Always ask me before you add a dependency: our lawyers read every licence."
    parts = reasons.split(rule, is_rule=True)
    assert parts
    assert rule[parts.why_start :] == "our lawyers read every licence."
    assert reasons.split(rule) is None


@pytest.mark.parametrize(
    "rule",
    [
        "Never write to the old table: the new one must always be written first.",
        "Die alte Tabelle bleibt immer leer: die neue darf nie leer sein.",
    ],
)
def test_a_rule_behind_a_rule_does_not_explain_it(rule):
    """Two rules of one sentence are told together."""
    assert reasons.split(rule, is_rule=True) is None


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        (
            "I decided to use one table. This keeps the join fast.",
            "I decided to use one table.",
            "This keeps the join fast.",
        ),
        (
            "I decided to raise the version. Without this, old pages stay in the index.",
            "I decided to raise the version.",
            "Without this, old pages stay in the index.",
        ),
        (
            "I decided to use one table. That'll make the join easier to read.",
            "I decided to use one table.",
            "That'll make the join easier to read.",
        ),
        (
            "I decided to use one table. That is closer to what others do.",
            "I decided to use one table.",
            "That is closer to what others do.",
        ),
        (
            "I decided to use one table per day:\n\n```text\nday/rows\n```\n\nThis keeps the join fast.",
            "I decided to use one table per day:",
            "This keeps the join fast.",
        ),
        ("I decided to use one table. It is there now.", "I decided to use one table.", ""),
        ("Writers are few. So we decided to use SQLite.", "So we decided to use SQLite.", "Writers are few."),
        ("Writers are few. We decided to use SQLite.", "We decided to use SQLite.", ""),
        (
            "公開を延期することにしました。不具合が残っているため。",
            "公開を延期することにしました。",
            "不具合が残っているため。",
        ),
        ("キャッシュを使うことにしました。設定は終わりました。", "キャッシュを使うことにしました。", ""),
    ],
)
def test_a_reason_stands_in_the_sentence_beside_it(text, words, why):
    """The next sentence says what it is good for, or the one before is what it follows from."""
    (found,) = [one for one in passages.cut([Event("agent", "text", text)]) if one.states == "decision"]
    assert (found.text, found.why) == (words, why)


def test_a_lead_without_a_word_and_without_a_comma_is_no_error(monkeypatch):
    """A row of a lead that names no comma, in a language without a word for it, gives the reason whole."""
    rows = {"reasons.lead": r"^[^.]{4,60}? wherefore (?=\w)", "reasons.lead word": "(?!)"}
    monkeypatch.setattr(reasons, "form", lambda *names: Phrase(rows.get(names[0], "(?!)")))
    sentence = "The pier is dark wherefore we light the lamp."
    parts = reasons.split(sentence)
    assert parts
    assert sentence[parts.start : parts.end] == "we light the lamp."
    assert sentence[parts.why_start : parts.why_end] == "The pier is dark wherefore"


@pytest.mark.parametrize(
    "sentence",
    ["Add new models as they become available.", "Log the work as it happens.", "Keep the format as you said."],
)
def test_what_goes_along_is_no_reason(sentence):
    """`As` says when or how where what follows only goes on, comes or is said."""
    assert reasons.split(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "My clear preferences are: the rows must already stand in one file.",
        "One general remark: the store must never write while a wake reads.",
        "For the future: nothing is written on the controller, we only have read rights.",
        "Für die Zukunft: Die Steuerung wird nicht verändert.",
        "Für die Zukunft: Wir haben nur Leserechte und das muss so bleiben.",
        "For the future: we need an index on each table.",
    ],
)
@pytest.mark.parametrize("is_rule", [True, False])
def test_what_only_announces_has_no_reason_behind_its_colon(sentence, is_rule):
    """`My preferences are: ...` leads to what is wished, and gives no reason for it."""
    assert reasons.split(sentence, is_rule=is_rule) is None


@pytest.mark.parametrize(
    ("sentence", "words", "why"),
    [
        (
            "use type hints from now on, reviewers keep asking for it",
            "use type hints from now on",
            "reviewers keep asking for it",
        ),
        ("always use the queue - it's cheaper", "always use the queue", "it's cheaper"),
        (
            "never format a date without a zone, this is the third time",
            "never format a date without a zone",
            "this is the third time",
        ),
        ("以后提交之前必须跑 lint，否则 CI 会挂", "以后提交之前必须跑 lint", "否则 CI 会挂"),
        ("以后不要用 Redis 了，成本太高", "以后不要用 Redis 了", "成本太高"),
    ],
)
def test_a_person_argues_behind_a_comma(sentence, words, why):
    """What weighs, needs or lacks something, with a subject of its own, is the reason of what stands before it."""
    parts = reasons.argued(sentence)
    assert (sentence[parts.start : parts.end], sentence[parts.why_start : parts.why_end]) == (words, why)


@pytest.mark.parametrize(
    "sentence",
    [
        "never push to main, never merge anything",
        "don't use mocks, always use the real database",
        "when the flag is used, we don't want colours",
        "use the queue for it, I don't remember its name",
        "always run the linter, then push it",
        "use tabs for all files, I would also like a hook for that",
        "use tabs for all files, that would be awesome",
        "以后先做代码审查，安全审计以后再做",
        "先改登录页面，风险评估放到下周",
    ],
)
def test_what_goes_on_behind_a_comma_argues_nothing(sentence):
    """A second rule, what a condition leads to, a next step, a wish and praise are no reasons."""
    assert reasons.argued(sentence) is None


def test_what_a_ban_follows_from_is_its_reason():
    """`X, so please don't Y` bans Y because of X."""
    said = "It's a legal requirement in Portugal, so please don't use the sequence."
    stated = statements.state(said, "person")
    assert said[stated.start : stated.end] == "don't use the sequence."
    assert said[stated.why_start : stated.why_end] == "It's a legal requirement in Portugal"
    alone = statements.state("Hi, so please don't touch the sequence.", "person")
    assert alone.why_start == alone.why_end
