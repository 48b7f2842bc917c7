"""Dialogue: a person's reply decides, refuses or answers what an agent put forward."""

from __future__ import annotations

import pytest

from sleep.compression import dialogue, passages, proposals
from sleep.journal.capture import digest_drafts, session_digest
from sleep.transcripts.events import Event

OPTIONS = "Two ways:\n\n1. Store it in SQLite\n2. Store it in a JSON file\n\nWhich one?"
LETTERS = "- A) Full transcript\n- B) Extracted highlights\n- C) Hybrid of both\n\nWhich do you prefer?"
SUGGESTS = "The lock is slow. I'd recommend switching to flock for the ledger."
VORSCHLAG = "Das Sperren dauert. Ich schlage vor, die Sperre mit flock zu bauen."
ZH_PROPOSAL = "锁太慢了。我建议改用 flock 来保护账本。"

CHOICES = [
    (OPTIONS, "option 2", "Store it in a JSON file"),
    (OPTIONS, "2", "Store it in a JSON file"),
    (OPTIONS, "the first one", "Store it in SQLite"),
    (LETTERS, "I think B) is right", "Extracted highlights"),
    (LETTERS, "go with C", "Hybrid of both"),
    (LETTERS, "B", "Extracted highlights"),
    (SUGGESTS, "yes, do that", "I'd recommend switching to flock for the ledger."),
    (SUGGESTS, "sounds good", "I'd recommend switching to flock for the ledger."),
    (SUGGESTS, "Agreed.", "I'd recommend switching to flock for the ledger."),
    ("Should we use uv for the lock file?", "yes please", "Use uv for the lock file."),
    ("Should we use uv for the lock file?", "please", "Use uv for the lock file."),
    (SUGGESTS, "no, keep fcntl", "keep fcntl"),
    (SUGGESTS, "Don't. Keep fcntl.", "Keep fcntl"),
    ("I decided to use Redis for the queue.", "No, stick with sqlite.", "stick with sqlite"),
    ("Wir haben zwei Wege:\n\n1. SQLite nehmen\n2. JSON nehmen", "Variante 2", "JSON nehmen"),
    ("Wir haben zwei Wege:\n\n1. SQLite nehmen\n2. JSON nehmen", "die erste", "SQLite nehmen"),
    (VORSCHLAG, "ja, mach das", "Ich schlage vor, die Sperre mit flock zu bauen."),
    (VORSCHLAG, "Einverstanden", "Ich schlage vor, die Sperre mit flock zu bauen."),
    (VORSCHLAG, "nein, bleib bei fcntl", "bleib bei fcntl"),
    ("两个办法：\n\n1. 用 SQLite\n2. 用 JSON 文件", "选项 2", "用 JSON 文件"),
    ("两个办法：\n\n1. 用 SQLite\n2. 用 JSON 文件", "第一个", "用 SQLite"),
    (ZH_PROPOSAL, "好的，就这么办", "我建议改用 flock 来保护账本。"),
    (ZH_PROPOSAL, "不，继续用 fcntl", "继续用 fcntl"),
    *(
        (ZH_PROPOSAL, reply, "我建议改用 flock 来保护账本。")
        for reply in ("可以了", "同意你的方案", "行吧", "好就这么做")
    ),
    *(
        (SUGGESTS, reply, "I'd recommend switching to flock for the ledger.")
        for reply in ("yes, why not", "ok, not bad")
    ),
    *((VORSCHLAG, reply, VORSCHLAG.split(". ")[1]) for reply in ("ja, warum nicht", "ja, nicht schlecht")),
    *(
        ("Yo propongo usar flock.", reply, "Yo propongo usar flock.")
        for reply in ("Sí, desde luego", "sí, y luego prueba")
    ),
    *(("Je propose flock.", reply, "Je propose flock.") for reply in ("oui, pas de problème", "oui, pourquoi pas")),
]
MENDS = "Three ways to mend it:\n\n1. Write to a temp file.\n2. Poll the path.\n3. Raise an error."
PLACES = "Where to add it:\n\n**1. `hooks.go:9`** - The name is there:\n\n**2. `main.go`** - No name yet.\n\nShall I?"


@pytest.mark.parametrize(
    ("proposal", "reply", "decided"),
    [
        (MENDS, "1 and 3", ["1 and 3: Write to a temp file; Raise an error."]),
        (LETTERS, "B und C", ["B und C: Extracted highlights; Hybrid of both."]),
        (PLACES, "Implement 1,2.", ["Implement 1,2: `hooks.go:9` - The name is there; `main.go` - No name yet."]),
        ("1. Does it fail?\n2. Is it slow?", "1 and 2", []),
    ],
)
def test_a_reply_takes_several_options(proposal, reply, decided):
    """All that are named, not the first alone; by the numbers of questions it chooses nothing."""
    turns = [Event("agent", "text", proposal), Event("person", "prompt", reply)]
    assert [choice.text for choice in dialogue.choices(turns)] == decided
    told = " ".join(passage.text for passage in passages.cut(turns))
    options = [option for text in decided for option in text.rstrip(".").partition(": ")[2].split("; ")]
    assert [told.count(option) for option in options] == [1] * len(options)


EITHER = "Which database should the sessions be kept in, SQLite or Postgres?"
LOGO = "Soll ich das Logo auf der Fehlerseite tauschen?"
FULL_MERGE = "Want me to go ahead with the full merge anyway, or leave it for later?"
CARVE_OUT = "Want me to implement it with the empty-file carve-out, push, and resolve the thread?"
SHAPE = "So the right shape is: an empty file stays silent."
CHOICES += [
    (EITHER, "SQLite", f"{EITHER} SQLite."),
    (EITHER, "let's go with Postgres please", f"{EITHER} let's go with Postgres please."),
    ("Soll die Sitzung in SQLite oder in Postgres liegen?", "Postgres bitte", None),
    ("For the backups, should we use restic or borg?", "Yes, take borg", None),
    ("Sollen wir für die Sicherung rsync oder restic nehmen?", "Ja, nimm restic", None),
    ("会话存到文件还是数据库？", "数据库吧", None),
    ("1. Keep SQLite\n2. Move to Postgres\n\nWhich one?", "Postgres", "Move to Postgres"),
    (FULL_MERGE, "hold off", f"{FULL_MERGE} hold off."),
    (FULL_MERGE, "that can wait", f"{FULL_MERGE} that can wait."),
    (LOGO, "Das kann warten.", f"{LOGO} Das kann warten."),
    (LOGO, "Erst nach dem Release", f"{LOGO} Erst nach dem Release."),
    ("要我把图片格式换成 webp 吗？", "这个先不做", "要我把图片格式换成 webp 吗？ 这个先不做。"),
    (FULL_MERGE, "leave it for later", f"{FULL_MERGE} leave it for later."),
    (CARVE_OUT, "yes", "Implement it with the empty-file carve-out, push, and resolve the thread."),
    (f"{SHAPE}\n\n{CARVE_OUT}", "yes", f"{SHAPE} {CARVE_OUT}"),
    ("Soll ich es mit einer Warteschlange umsetzen?", "ja", "Es mit einer Warteschlange umsetzen."),
    ("要我用队列实现吗？", "好的", "要我用队列实现吗？"),
]
BACKUP_ES = "Para las copias, ¿usamos restic o borg?"
CHOICES += [
    ("Pour les sauvegardes, on prend restic ou borg ?", "Oui, prends borg", None),
    ("Je propose de passer à flock.", "d'accord", "Je propose de passer à flock."),
    ("Je propose de passer à flock.", "non, gardons fcntl", "gardons fcntl"),
    (BACKUP_ES, "Sí, usa borg", None),
    ("Yo propongo usar flock.", "vale", "Yo propongo usar flock."),
    ("Для бэкапов берём restic или borg?", "Да, бери borg", None),
    ("Предлагаю взять flock.", "давай", "Предлагаю взять flock."),
    ("バックアップは restic と borg のどちらにしますか？", "はい、borg でお願いします", None),
    ("flock を提案します。", "はい", "flock を提案します。"),
    ("Shall I add a Redis cache?", "No, no Redis, that is overkill", "Shall I add a Redis cache? No."),
    (
        "Soll ich einen Redis-Cache einbauen?",
        "Nein, kein Redis, das ist zu teuer",
        "Soll ich einen Redis-Cache einbauen? Nein.",
    ),
    (
        "Veux-tu que j'ajoute un cache Redis ?",
        "Non, pas de Redis, c'est inutile",
        "Veux-tu que j'ajoute un cache Redis? Non.",
    ),
    ("¿Quieres que añada una caché?", "No, nada de caché, es excesivo", "¿Quieres que añada una caché? No."),
    ("Добавить кэш на Redis?", "Нет, Redis не нужен, это лишнее", "Добавить кэш на Redis? Нет."),
    (
        "Redis のキャッシュも追加しましょうか？",
        "いいえ、Redis は不要です",
        "Redis のキャッシュも追加しましょうか？ いいえ。",
    ),
]
WEGE = "Ich sehe zwei Wege:\n\n1. Ein Ordner je Stufe\n2. Eine Datei\n\nWas ist dir lieber?"
VAULT = "Either Vault or the Secrets Manager would do. Vault needs a server."
CHOICES += [
    (OPTIONS, "lets take no 2 pls", "Store it in a JSON file"),
    (OPTIONS, "sounds good, the first", "Store it in SQLite"),
    (OPTIONS, "ok the 2nd one then", "Store it in a JSON file"),
    (WEGE, "die zweite bitte", "Eine Datei"),
    (WEGE, "ich würde die erste nehmen", "Ein Ordner je Stufe"),
    ("两个办法：\n\n1. 用 SQLite\n2. 用 JSON 文件", "就2吧", "用 JSON 文件"),
    (
        "It is there already, so I'd put the sessions into Redis rather than into Postgres.",
        "ok do it that way",
        "I'd put the sessions into Redis rather than into Postgres.",
    ),
    (
        VAULT,
        "secrets manager then. one server less",
        "Either Vault or the Secrets Manager would do. secrets manager then.",
    ),
    (
        "I'm going to replace requests with httpx.",
        "no!! we don't want httpx, leave requests",
        "we don't want httpx, leave requests",
    ),
    ("Soll ich die YAML-Dateien durch TOML ersetzen?", "nein, bleib bei YAML", "bleib bei YAML"),
    ("要不要把 YAML 换成 TOML？", "不用，继续用 YAML", "继续用 YAML"),
    ("Should we move the rows to Postgres?", "hmm no, keep the rows in sqlite", "keep the rows in sqlite"),
]
CFG = "While I'm here, should I rename `cfg` to `config` everywhere?"
INDEX = "I'd suggest adding an index on user_id as well."
ALT = "Soll ich die alten Tests auch auf pytest umstellen?"
NOTHING = [
    ("The build ran 12 times. 2 of the runs failed.", "no 2 was mine"),
    ("Want me to push the branch?", "no, leave the branch"),
    (EITHER, "both"),
    (EITHER, "hm, look at the log first"),
    ("Should I push it or test it first?", "test it first"),
    ("Want me to push it?", "not now"),
    ("Want me to run the tests?", "hold off"),
    ("Want me to implement it?", "yes"),
    ("Want me to run the tests with coverage?", "yes"),
    ("1. Keep SQLite\n2. Move to Postgres\n\nWhich one?", "Try again"),
    ("Want me to run the tests?", "yes"),
    (INDEX, "not in this file, look into the other"),
    ("Should I push it?", "yes, go ahead"),
    ("I fixed the parser. All tests pass.", "ok"),
    (SUGGESTS, "yes but only on Linux, what about Windows?"),
    (SUGGESTS, "why?"),
    (SUGGESTS, "hm, not sure, let me think about it"),
    (OPTIONS, "yes"),
    (OPTIONS, "option 7"),
    ("1. Open the file\n\nThat is all.", "2"),
    ("Soll ich die Tests starten?", "ja"),
    (VORSCHLAG, "ja, aber nur unter Linux"),
    ("要我提交吗？", "好的"),
    ("I read the file.", "no, use the other file"),
    ("The build is green.", "no worries"),
    ("Soll ich einen Redis-Cache einbauen?", "Keine Ahnung"),
    ("Je propose de passer à flock.", "si tu veux, mais plus tard"),
    ("Devo atualizar o arquivo?", "sim"),
    (VORSCHLAG, "ok, später"),
    *(("Yo propongo usar flock.", reply) for reply in ("Claro que no", "Sí, pero más tarde", "vale, no lo sé")),
    *(("Je propose de passer à flock.", reply) for reply in ("Bien sûr que non", "oui plus tard", "ça marche pas")),
    *(("Предлагаю взять flock.", reply) for reply in ("Да нет", "Конечно нет", "давай потом", "Хорошо, но позже")),
    *(("flock を提案します。", reply) for reply in ("はい、でも後で", "ええと、flock とは何ですか")),
    *(
        (ZH_PROPOSAL, reply)
        for reply in (
            *("好像有问题", "可以吗", "好不好", "对了，数据库呢", "可以再想想", "好，先不做", "是这样吗", "好处是什么"),
            *("行数太多", "对于备份另外再看", "对话要保留", "行为要一致", "好久没看了"),
        )
    ),
]


def cut(*turns):
    """Return the passages of turns of an agent and a person, the agent's first."""
    events = []
    for number, text in enumerate(turns, 1):
        role, kind = ("agent", "text") if number % 2 else ("person", "prompt")
        events.append(Event(role, kind, text, line=number))
    return passages.cut(events)


def stop(words):
    """Return the stop that a sentence in the script of these words ends in."""
    return "." if words.isascii() or words[-1] == "?" else "。"


def decisions(*turns):
    """Return the words and the speaker of the decisions."""
    return [(one.text, one.role) for one in cut(*turns) if one.states == "decision"]


@pytest.mark.parametrize(("proposal", "reply", "choice"), CHOICES)
def test_a_reply_that_chooses_is_a_decision_of_the_persons(proposal, reply, choice):
    """An option, a side, a proposal agreed to or put off, and what is put in its place are the person's decisions."""
    assert decisions(proposal, reply) == [(choice or f"{proposal} {reply}{stop(proposal)}", "person")]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Should we use sqlite?", "Use sqlite."),
        ("So should I then move the rows to Postgres?", "Move the rows to Postgres."),
        ("Sollen wir die Zeilen nach Postgres verschieben?", "Die Zeilen nach Postgres verschieben."),
        ("Should we not use sqlite?", "Should we not use sqlite?"),
        ("Should we use sqlite or a file?", "Should we use sqlite or a file?"),
        ("Should it be capped? Yes, cap it at five.", "Should it be capped? Yes, cap it at five."),
        ("I'd use sqlite.", "I'd use sqlite."),
        ("Should we use sqlite, right?", "Use sqlite."),
    ],
)
def test_a_yes_makes_a_statement_of_a_question(question, told):
    """What was asked is told as what was decided, where a yes can mean but that."""
    assert proposals.declare(question) == told


@pytest.mark.parametrize(
    ("proposal", "reply", "choice"),
    [
        ("I'd use flock because NFS has it.", "no, too slow", "I'd use flock because NFS has it? no."),
        ("Shall I do the full merge, because main moved?", "hold off", "{} hold off."),
        ("Should we use Redis or flock, since NFS has both?", "flock", "{} flock."),
        ("Sollen wir mit bcrypt hashen, weil es da ist?", "nein, das ist zu langsam", "{} nein."),
    ],
)
def test_a_reply_is_never_the_end_of_the_proposals_reason(proposal, reply, choice):
    """What was refused, put off or chosen of a proposal with a reason is told with the reply behind both."""
    assert decisions(proposal, reply) == [(choice.format(proposal), "person")]


def test_what_a_reply_puts_off_may_be_named_among_others():
    """What an agent says it could do is put off by a reply that has a word of it; what it did is not."""
    could = "I can also rename the module to store_db."
    reply = "don't rename it in this PR, do it later"
    assert decisions(f"The store is read once now. {could}", reply) == [(f"{could} {reply}.", "person")]
    assert decisions("I renamed the module to store_db.", reply) == []


def test_a_long_yes_is_told_beside_the_reason_of_the_proposal():
    """A reply that says more than yes stays, whatever the proposal gave for its reason."""
    reply = "yes, and write the rows of the second file first"
    assert reply in [one.text for one in cut(f"{SUGGESTS} That way no row is ever lost between two workers.", reply)]


@pytest.mark.parametrize(
    ("proposal", "reply"),
    [
        (CFG, "don't rename it in this PR, do it later"),
        (INDEX, "not in this PR, let's do it separately"),
        (INDEX, "not now, next sprint"),
        (INDEX, "good idea, but do that in a follow-up"),
        ("Shall I convert the old tests to pytest?", "let's leave that for a follow-up"),
        (ALT, "nicht in diesem PR"),
        (ALT, "das machen wir später"),
        ("要不要顺便把旧测试改成 pytest？", "这次先不改，下次再说"),
    ],
)
def test_what_is_not_for_now_is_put_off(proposal, reply):
    """What a reply leaves to another change or another time is decided by the person, in the proposal's words."""
    assert decisions(proposal, reply) == [(f"{proposal} {reply}{stop(proposal)}", "person")]


@pytest.mark.parametrize("reply", ["以后都用 pnpm", "之后跑一下测试", "下次更新文档"])
def test_what_shall_be_from_now_on_is_not_put_off(reply):
    """`以后` alone says from when something is so; only with `再` or `吧` does it leave the proposal for later."""
    assert decisions("要不要顺便把旧测试改成 pytest？", reply) == []


CLUSTER = "I'd suggest we move the export to a managed Spark cluster."
HASH = "Should I hash the passwords with bcrypt?"
REASONS = [
    (CLUSTER, "no, too expensive", f"{CLUSTER[:-1]}? no.", "too expensive"),
    (CLUSTER, "Nope. We have no budget for that.", f"{CLUSTER[:-1]}? Nope.", "We have no budget for that"),
    (CLUSTER, "hmm no, keep it here, Spark is too slow", "keep it here.", "Spark is too slow"),
    (HASH, "no, it doesn't run on Windows", f"{HASH} no.", "it doesn't run on Windows"),
    (HASH, "no, rather argon2, the auditors require it", f"{HASH} no, rather argon2.", "the auditors require it"),
    (HASH, "no, argon2 instead because it is newer", f"{HASH} no, argon2 instead.", "it is newer"),
    ("Want me to drop the legacy table too?", "no, billing still reads it", None, "billing still reads it"),
    (OPTIONS, "2, we don't want another service", "Store it in a JSON file", "we don't want another service"),
    (OPTIONS, "the second one, because it is simple. push it", "Store it in a JSON file", "it is simple"),
    (EITHER, "SQLite, it's simpler", f"{EITHER} SQLite.", "it's simpler"),
    (SUGGESTS, "yes, do that, it is safer", "I'd recommend switching to flock for the ledger.", "it is safer"),
    ("I'd use flock because NFS has it.", "yes", "I'd use flock.", "NFS has it"),
    ("Should I use flock, since NFS has it?", "yes", "Use flock.", "NFS has it"),
    (
        f"{SUGGESTS} That way no row is lost.",
        "ok",
        "I'd recommend switching to flock for the ledger.",
        "no row is lost",
    ),
    (
        f"{SUGGESTS} This avoids a table.",
        "yes, it is safer",
        "I'd recommend switching to flock for the ledger.",
        "it is safer",
    ),
    (
        "Ich schlage vor, die Bilder in S3 abzulegen.",
        "nein, zu teuer",
        "Ich schlage vor, die Bilder in S3 abzulegen? nein.",
        "zu teuer",
    ),
    (
        "Soll ich mit bcrypt hashen?",
        "nein, lieber argon2, das verlangt die Revision",
        None,
        "das verlangt die Revision",
    ),
    ("要不要把日志写到 Elasticsearch？", "不要，太贵了", None, "太贵了"),
]


@pytest.mark.parametrize(("proposal", "reply", "choice", "why"), REASONS)
def test_a_reply_gives_the_reason_of_its_choice(proposal, reply, choice, why):
    """Behind a no, an option or a yes stands why, which is the reason of the decision and no part of its words."""
    ((text, reason),) = [(one.text, one.why) for one in cut(proposal, reply) if one.states == "decision"]
    assert reason.strip(".") == why
    assert text == choice if choice else text.startswith(proposal)


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("I've moved the check to the reader.", "no, it still fails"),
        ("I'd use the new parser here.", "no, that's the wrong file"),
        ("Should I push the branch?", "no, too early"),
        (HASH, "no thanks"),
        (HASH, "no, that would be all"),
    ],
)
def test_a_no_without_a_reason_decides_nothing(message, reply):
    """What contradicts a report, corrects, or refuses what is about nothing leaves no decision."""
    assert decisions(message, reply) == []


@pytest.mark.parametrize(
    "reply",
    ["don't deploy on Fridays though", "never push to main", "don't touch the billing page", "don't log the names"],
)
def test_a_ban_on_something_else_is_no_veto(reply):
    """The agent's choice stands where the person forbids something else beside it."""
    chosen = "I decided to deploy with blue/green because rollback is quick."
    assert [text for text, role in decisions(chosen, reply) if role == "agent"] == [
        "I decided to deploy with blue/green."
    ]


OLD = "Should we support Python 3.8?"
CACHE = "how about we cache the permissions for 5 min?"


@pytest.mark.parametrize(
    ("question", "agent", "reply", "choice", "why"),
    [
        (
            OLD,
            "It costs two backports. What do you prefer?",
            "drop it. nobody uses it",
            f"{OLD} drop it.",
            "nobody uses it",
        ),
        (
            OLD,
            "It costs two backports. OK for you?",
            "yes, the clusters are still on it",
            "Support Python 3.8.",
            "the clusters are still on it",
        ),
        (
            CACHE,
            "A revoked user keeps access. Is that acceptable?",
            "no. security would kill me",
            f"{CACHE} no.",
            "security would kill me",
        ),
    ],
)
def test_a_question_that_was_handed_back_is_decided(question, agent, reply, choice, why):
    """What a person asked first is decided by their answer to an agent that asks only what they prefer."""
    events = [
        Event(role, "prompt" if role == "person" else "text", text)
        for role, text in zip(("person", "agent", "person"), (question, agent, reply), strict=True)
    ]
    ((text, reason),) = [(one.text, one.why.strip(".")) for one in passages.cut(events) if one.states == "decision"]
    assert (text, reason) == (choice, why)
    assert not [one for one in passages.cut(events) if one.states == "question"]


@pytest.mark.parametrize(
    ("question", "agent", "reply", "choice"),
    [
        (
            "Should I use argon2 or bcrypt?",
            "argon2 resists GPUs, bcrypt is everywhere.",
            "argon2 then",
            "Should I use argon2 or bcrypt? argon2 then.",
        ),
        (
            "Soll ich Kappa oder Krippendorffs Alpha nehmen?",
            "Kappa kennt nur zwei Kodierer.",
            "Dann Krippendorff.",
            "Soll ich Kappa oder Krippendorffs Alpha nehmen? Dann Krippendorff.",
        ),
        (
            "a retry charges twice",
            "I could send a key, or lock the cart row.",
            "the key please. locks killed us",
            "I could send a key, or lock the cart row. the key please.",
        ),
        ("Should I use argon2 or bcrypt?", "argon2 resists GPUs.", "what would you do", ""),
        ("Is the bug in the parser or the printer?", "In the parser.", "ok, the parser", ""),
        (
            "es bucht doppelt",
            "Ich könnte einen Key schicken oder die Zeile sperren.",
            "den Key bitte",
            "Ich könnte einen Key schicken oder die Zeile sperren. den Key bitte.",
        ),
        ("太慢", "我可以用锁，或者用队列。", "用队列吧", "我可以用锁，或者用队列。 用队列吧。"),
        ("用 argon2 还是 bcrypt？", "argon2 更慢。", "那用 argon2", "用 argon2 还是 bcrypt？ 那用 argon2。"),
        ("问题在解析器还是打印器？", "在解析器。", "解析器", ""),
        ("it is slow", "I could check whether the cache or the join is slow.", "the join is", ""),
        ("it is slow", "I can confirm whether the cache or the join is slow.", "the join", ""),
        ("es ist langsam", "Ich kann nicht sagen, ob es der Cache oder der Join ist.", "der Join", ""),
    ],
)
def test_a_side_that_a_person_takes_is_chosen(question, agent, reply, choice):
    """Of a question of their own that the agent weighed, or of what the agent could do; a question of fact has none."""
    events = [
        Event(role, "prompt" if role == "person" else "text", text)
        for role, text in zip(("person", "agent", "person"), (question, agent, reply), strict=True)
    ]
    assert [one.text for one in passages.cut(events) if one.states == "decision"] == [choice] * bool(choice)


@pytest.mark.parametrize(
    ("reply", "is_open"),
    [("oh nvm then, spaces are fine", False), ("forget it, spaces it is", False), ("yes, change it", True)],
)
def test_a_person_takes_back_what_the_agent_asked_about(reply, is_open):
    """A choice that its person withdraws when the agent asks about it is none; a rule beside it stands."""
    said = ("let's use tabs. Never push to main.", "The editor's file has four spaces. Should I change it?", reply)
    events = [
        Event(role, "prompt" if role == "person" else "text", text)
        for role, text in zip(("person", "agent", "person"), said, strict=True)
    ]
    stated = [one.states for one in passages.cut(events) if one.text in ("let's use tabs.", "Never push to main.")]
    assert [kind for kind in stated if kind] == (["decision", "constraint"] if is_open else ["constraint"])


@pytest.mark.parametrize("reply", ["don't use flock in those", "do not keep fcntl", "不要用 flock"])
def test_what_is_forbidden_is_not_chosen(reply):
    """A no that belongs to its verb leaves no choice behind it: `use flock` is not what the person said."""
    assert decisions(SUGGESTS, reply) == []


@pytest.mark.parametrize(("proposal", "reply"), NOTHING)
def test_a_reply_that_chooses_nothing_is_no_decision(proposal, reply):
    """Leave to go on, a doubt, a question and an option that was not there decide nothing."""
    assert decisions(proposal, reply) == []


def test_a_choice_quotes_the_yes_and_names_both_lines():
    """The entry has the proposal's words for a title, the person's for a quotation, and the lines of both."""
    events = [Event("agent", "text", OPTIONS, line=4), Event("person", "prompt", "option 2", line=9)]
    entry = next(draft for draft in digest_drafts.drafts(session_digest.of(events), "s1") if draft.kind == "decision")
    fields = dict(entry.fields)
    assert (entry.title, entry.standing) == ("Store it in a JSON file", "stated")
    assert (fields["quotation"], fields["source"], fields["transcript"]) == ("option 2", "person", "s1:4-9")


def test_a_choice_is_told_once():
    """The words of the option that was chosen do not stand again among the others."""
    assert sum("Store it in a JSON file" in one.text for one in cut(OPTIONS, "option 2")) == 1


@pytest.mark.parametrize(
    ("decision", "veto"),
    [
        ("I decided to use Redis for the queue.", "no, don't"),
        ("I decided to use Redis for the queue.", "Nope. Show me the log first."),
        ("我决定采用 Redis 做队列。", "不要"),
    ],
)
def test_a_veto_closes_what_it_vetoes(decision, veto):
    """A choice of the agent's that the person refuses at once is no decision."""
    assert decisions(decision)
    assert decisions(decision, veto) == []


@pytest.mark.parametrize(
    ("decision", "reply"),
    [
        ("I decided to use Redis for the queue.", "don't forget the password"),
        ("I decided to use Redis for the queue.", "don't worry about the old queue"),
        ("I decided to use Redis for the queue.", "don't you think two are better"),
        ("I decided to use Redis for the queue.", "no that's good"),
        ("I decided to use Redis for the queue.", "nicht schlecht, weiter so"),
        ("I decided to use Redis for the queue.", "nicht vergessen, das Passwort zu setzen"),
        ("我决定采用 Redis 做队列。", "别忘了密码"),
        ("我决定采用 Redis 做队列。", "不错"),
    ],
)
def test_what_begins_like_a_no_may_be_none(decision, reply):
    """A reminder, praise and a doubt leave the agent's choice as it stands."""
    assert [text for text, _ in decisions(decision, reply)] == [text for text, _ in decisions(decision)]


def test_no_objections_are_a_yes():
    """Who has no objections agrees, who does not know leaves the question open."""
    assert decisions(SUGGESTS, "no objections") == decisions(SUGGESTS, "yes")


@pytest.mark.parametrize(
    ("question", "reply", "is_open"),
    [
        ("Open question: should the cache be shared?", "don't know", True),
        ("Open question: should the cache be shared?", "yes", False),
        ("Open question: should the cache be shared?", "The cache is per process.", False),
        ("Open question: should the cache be shared?", "not sure, later", True),
        ("Open question: should the cache be shared?", "Rename the button.", True),
        ("Open question: should the cache be shared?", "Let's use that", False),
        ("Open question: should the cache be shared?", "Let's use tabs", True),
        ("Open question: should the cache be shared?", "Take it out", True),
        ("Open question: should the cache be shared?", "Try it again", True),
        ("Open question: should the cache be shared?", "what does that mean?", True),
    ],
)
def test_a_question_that_the_next_turn_answers_is_not_open(question, reply, is_open):
    """A yes, a no and words that take the question up close it; a delay and another matter do not."""
    assert any(one.states == "question" for one in cut(question, reply)) is is_open


def test_a_question_that_was_asked_by_the_client_is_answered_by_its_answer():
    """What an agent asks through the client is not open once the person answered."""
    asked = Event("agent", "ask", "Which store?", line=1)
    assert passages.cut([asked])[0].states == "question"
    assert passages.cut([asked, Event("person", "answer", "SQLite", line=2)])[0].states == ""


@pytest.mark.parametrize(
    ("report", "is_open"),
    [
        ("Updated the changelog of the release.", False),
        ("- [x] changelog of the release updated, done", False),
        ("I will update the changelog of the release later.", True),
        ("Updated the parser.", True),
        ("All pages are there, and the release changelog tells of the update.", False),
        ("The release changelog must tell of the update.", True),
        ("The release changelog does not tell of the update.", True),
        ("Is the release changelog up to date after the update?", True),
    ],
)
def test_a_task_that_was_done_in_the_session_is_not_a_task(report, is_open):
    """A later report of the same thing closes a task; a promise and another report do not."""
    said = cut("To do: update the release changelog.", "go on", report)
    assert any(one.states == "task" for one in said) is is_open


@pytest.mark.parametrize(
    ("request_", "is_open"),
    [
        ("update the release changelog now", False),
        ("update the parser", True),
        ("the changelog of the release is long", True),
        ("update the release changelog later", True),
    ],
)
def test_a_task_that_a_person_asked_for_later_is_not_left(request_, is_open):
    """What was asked for in so many words is the work of that turn, whatever words report it."""
    said = cut("To do: update the release changelog.", request_, "All of it stands there, by day.")
    assert any(one.states == "task" for one in said) is is_open


@pytest.mark.parametrize(
    ("later", "choice"),
    [
        ("good. and about the dates: UTC everywhere", "and about the dates: UTC everywhere"),
        ("show the dates in the user's zone", "show the dates in the user's zone"),
        ("the dates overlap now", ""),
        ("is UTC better for dates?", ""),
    ],
)
def test_a_question_of_two_sides_may_be_answered_some_messages_later(later, choice):
    """What names its subject and one side is the answer, though the person spoke of something else first."""
    asked = "Should dates be shown in UTC or in the user's own zone?"
    said = [words for words, _ in decisions(asked, "first mend the header, it overlaps", "It is mended.", later)]
    assert said == ([f"{asked} {choice}."] if choice else [])


def test_a_long_answer_that_speaks_of_later_is_one():
    """Only a sentence on the question puts it off, where a long answer says much else."""
    asked = "Where do the rows stand?"
    filler = "The reader takes the page in, and each of its lines is counted as soon as it came. " * 3
    for end, is_answered in (("Flags can be set later.", True), ("Of the rows I am not sure.", False)):
        turns = [Event("person", "prompt", asked, line=1), Event("agent", "text", f"{filler}{end}", line=2)]
        assert dialogue.is_answered(turns, 0, asked) is is_answered


def test_a_reply_belongs_to_the_message_before_it():
    """A yes to the second message says nothing of what the first proposed."""
    assert decisions(SUGGESTS, "Look at the log first.", "The log is empty.", "ok") == []
    assert [one.text for one in dialogue.choices([Event("person", "prompt", "option 2")])] == []


BOTH = "- Should retries be capped?\n- Who owns the cron job?"


@pytest.mark.parametrize(
    ("put", "reply", "choice"),
    [
        (BOTH, "Yes, cap them at five.", "Should retries be capped? Yes, cap them at five."),
        (
            "Should the index be renamed?",
            "no, rename it at night",
            "Should the index be renamed? no, rename it at night.",
        ),
        ("Soll der Index wachsen?", "Ja, wachsen soll er.", "Soll der Index wachsen? Ja, wachsen soll er."),
        (
            "Alles läuft. Wie lange soll die Pause sein?",
            "30 Sekunden. Kürzer darf es nicht sein.",
            "Wie lange soll die Pause sein? 30 Sekunden.",
        ),
        ("How many retries should it make?", "3 at most", "How many retries should it make? 3 at most."),
        ("重试应该间隔多少秒？", "30 秒", "重试应该间隔多少秒？ 30 秒。"),
    ],
)
def test_an_answer_that_takes_a_question_up_is_a_decision(put, reply, choice):
    """What a person bids in answer to a question is a decision, told with the question."""
    assert decisions(put, reply) == [(choice, "person")]


@pytest.mark.parametrize(
    ("put", "reply"),
    [
        ("Want me to run the tests?", "Yes, run them."),
        ("Should I push it?", "Yes, push it."),
        (BOTH, "Yes."),
        (BOTH, "Yes, but cap what?"),
        ("How many tests fail?", "3 of them"),
        ("Which PR number should I review?", "181"),
        ("How long should the migration take?", "2 hours on the old box"),
        ("要多久才能跑完？", "10 分钟"),
        ("我要知道有多少用户在用？", "300 个"),
        ("How many retries should it make?", "no idea"),
    ],
)
def test_leave_to_go_on_is_no_decision(put, reply):
    """A yes to an offer, a bare yes and a question back decide nothing."""
    assert decisions(put, reply) == []


def test_a_yes_settles_the_question_that_it_takes_up():
    """Of two questions the one stays open that the reply does not speak of."""
    assert [one.text for one in cut(BOTH, "Yes, cap them at five.") if one.states == "question"] == [
        "Who owns the cron job?"
    ]
    assert not any(one.states == "question" for one in cut(BOTH, "Yes."))


def test_a_no_to_a_question_refuses_no_choice():
    """The agent's choice in the same message stands, for the no answers the question."""
    said = (
        "I decided to use a lease table because a file outlives its process. Open question: should a lease be renewed?"
    )
    assert decisions(said, "No.") == [("I decided to use a lease table.", "agent")]


def answered(*pairs):
    """Return the passages of a tool's questions with a person's answers, and what follows them."""
    ask = Event("agent", "ask", "\n".join(question for question, _ in pairs), line=3)
    answers = [Event("person", "answer", answer, line=4, asked=question) for question, answer in pairs]
    return passages.cut([ask, *answers, Event("agent", "text", "The page shows them now.", line=9)])


def test_each_answer_to_a_question_of_a_tool_is_a_decision():
    """All of them are the person's decisions, told with their questions, which stand nowhere else."""
    said = answered(("Which store?", "SQLite (Recommended)"), ("How long should a session be kept?", "30 days"))
    assert [(one.text, one.states, one.role, one.reply, one.line, one.until) for one in said[:-1]] == [
        ("Which store? SQLite.", "decision", "person", "SQLite (Recommended)", 3, 4),
        ("How long should a session be kept? 30 days.", "decision", "person", "30 days", 3, 4),
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Should I go ahead with the tests?", "Yes, run them"),
        ("Want me to push it?", "Yes"),
        ("Which store?", "can you explain the difference?"),
        ("Which store?", "not sure yet"),
        ("Should the history stay?", "What does git init do"),
        ("Which store?", "I'm leaning towards A, but curious what's the difference"),
        ("Which store?", "explain the difference first"),
        ("Welche Datenbank?", "was ist der Unterschied"),
        ("用哪个数据库？", "有什么区别"),
    ],
)
def test_an_answer_that_chooses_nothing_is_no_decision(question, answer):
    """Leave to go on, a question back and a delay decide nothing, whatever asked."""
    assert not [one.text for one in answered((question, answer)) if one.states == "decision"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where should the flags be described?", "Describe them in the README"),
        ("Which cache?", "That depends on the store, so use Redis"),
        ("When should it be pushed?", "Tell me when the tests are done"),
    ],
)
def test_an_answer_with_words_that_may_ask_back_decides(question, answer):
    """What the person bids or concludes is an answer, whatever it begins with."""
    assert [one.text for one in answered((question, answer)) if one.states == "decision"]


def test_of_a_long_answer_to_a_question_of_a_tool_its_beginning_is_told():
    """As many of its sentences as fit beside the question are the decision."""
    remarks = (f"What number {number} of the remarks adds is no more." for number in range(20))
    answer = " ".join(("The command line is enough. Nobody asked for a page.", *remarks, "It may come later."))
    (said,) = (one for one in answered(("How is it used?", answer)) if one.states == "decision")
    assert said.text.startswith("How is it used? The command line is enough. Nobody asked for a page. What number 0")
    assert len(said.text) < len(answer) / 2
    assert said.text.endswith("is no more.")


def test_of_several_questions_of_a_tool_the_one_stays_open_that_was_put_off():
    """Each question is settled by its own answer."""
    said = answered(("Which store?", "SQLite"), ("Who pays for it?", "I don't know, later"))
    assert [one.text for one in said if one.states == "question"] == ["Who pays for it?"]


POINTS = (
    "Two things matter then:\n\n1. **Layers.** The renderer should stand behind an interface.\n"
    "2. **Names.** Modules should be called after the product, because the demo goes.\n\nShall I note it in the plan?"
)
LAYERS, NAMES = (
    "Layers. The renderer should stand behind an interface.",
    "Names. Modules should be called after the product.",
)


@pytest.mark.parametrize(
    "reply",
    [
        "Agreed on both accounts. Yes, please update the plan.",
        "I agree with all of these.",
        "yes to all of them",
        "Sure, all of that sounds good.",
        "both are right, go on",
        "Ja, einverstanden mit allen Punkten.",
        "beide sind gut",
        "全部同意",
        "同意以上",
    ],
)
def test_a_yes_to_all_decides_each_item(reply):
    """Each item of the list that a person agrees to is a decision in its own words, and the yes alone is none."""
    assert [words for words, _ in decisions(POINTS, reply)] == [LAYERS, NAMES]


@pytest.mark.parametrize(
    ("put", "reply"),
    [
        (POINTS, "Agreed on both accounts, but wait with the names."),
        (POINTS, "Do all of them."),
        (POINTS, "All of these are good points."),
        (POINTS, "All of them are right?"),
        ("I see two faults:\n\n1. The parser drops the last row.\n2. The index is read twice.", "both are right"),
        (
            "There are two options:\n\n1. Use sqlite for it.\n2. Use flat files for it.\n\nWhich do you prefer?",
            "both are fine",
        ),
        (
            "Es gibt zwei Fehler:\n\n1. Der Leser verliert die letzte Zeile.\n2. Der Index ist doppelt da.",
            "beide sind richtig",
        ),
        ("Shall I:\n\n1. Run the tests?\n2. Push the branch?", "yes to all of them"),
        ("The page is done.", "Agreed on all accounts."),
    ],
)
def test_what_is_no_yes_to_all_decides_no_item(put, reply):
    """A yes with a but, or to no list, decides nothing; nor does one to facts, or to ways of which one is chosen."""
    assert decisions(put, reply) == []


NUMBERED = (
    "Before I start:\n\n**Q1 — Store:** Which database should hold it?\n- a) SQLite\n- b) Postgres\n\n"
    "**Q2 — Page:** There is no account page. Should I:\n- a) Create a simple one?\n- b) Skip it?"
)
PROPOSED = "1. Where should it be kept? I'd suggest keeping it in SQLite.\n2. Who owns the job?"
OPEN = "1. Should retries be capped?\n2. Who owns the job?"


@pytest.mark.parametrize(
    ("put", "reply", "choices"),
    [
        (
            NUMBERED,
            "A1 - SQLite\nA2 - Create a simple one",
            ["Store: Which database should hold it? SQLite.", "Page: Create a simple one."],
        ),
        (NUMBERED, "1a, 2b", ["Store: Which database should hold it? SQLite.", "Page: Skip it."]),
        (NUMBERED, "1: b", ["Store: Which database should hold it? Postgres."]),
        (NUMBERED, "A1 - not sure\nA2 - b)", ["Page: Skip it."]),
        (NUMBERED, "A1 - your way is fine\nA2 - b)", ["Page: Skip it."]),
        (PROPOSED, "1. your call\n2. wie du meinst", ["I'd suggest keeping it in SQLite."]),
        (
            OPEN,
            "1. at five\n2. the platform team",
            ["Should retries be capped? at five.", "Who owns the job? the platform team."],
        ),
        (OPEN, "3. nobody", []),
        (OPEN, "The log is full.\n1. at five", []),
    ],
)
def test_answers_with_the_numbers_of_questions_are_decisions(put, reply, choices):
    """Each answer is a decision with its question, by letter too; what is put off, or no question has, is none."""
    assert [words for words, _ in decisions(put, reply)] == choices


def test_questions_that_were_answered_by_number_are_told_once():
    """Neither the questions nor their options nor the answers stand again."""
    said = cut(NUMBERED, "A1 - SQLite\nA2 - Create a simple one", "Both are there now.")
    assert [one.text for one in said if not one.states] == [
        "Before I start: **Q2 — Page:** There is no account page.",
        "Both are there now.",
    ]


def test_an_option_that_was_not_taken_is_not_left_open():
    """Of the list only what was chosen is told, as the choice, and the question that led to it is answered."""
    assert [one.text for one in cut(OPTIONS, "2")] == ["Store it in a JSON file"]


@pytest.mark.parametrize(
    ("asked", "is_recap"),
    [
        ("what did we decide?", True),
        ("Remind me which codec we chose?", True),
        ("List the decisions so far.", True),
        ("Was haben wir entschieden?", True),
        ("我们决定了什么？", True),
        ("What should we decide next?", False),
        ("Which decisions should we make?", False),
        ("Which codec is best?", False),
    ],
)
def test_who_is_asked_what_was_decided_decides_nothing(asked, is_recap):
    """An agent that tells a choice again makes none: it stands where it was made."""
    turns = [Event("person", "prompt", asked), Event("agent", "text", "We decided on zstd.")]
    assert [one.states for one in passages.cut(turns) if one.role == "agent"] == ["" if is_recap else "decision"]


def test_a_question_about_options_is_told_with_them():
    """Which of them it shall be says nothing without them; another question does not name them."""
    (asked,) = [one.text for one in cut(LETTERS) if one.states == "question"]
    assert asked == "Which do you prefer? 1: Full transcript; 2: Extracted highlights; 3: Hybrid of both"
    other = LETTERS.replace("Which do you prefer?", "Who owns the job?")
    assert [one.text for one in cut(other) if one.states == "question"] == ["Who owns the job?"]


@pytest.mark.parametrize(
    ("agent", "reply", "choice"),
    [
        (
            "We could wrap it in a transaction, or use a single update. Which one?",
            "single update. fewer round trips",
            "We could wrap it in a transaction, or use a single update. Which one? single update.",
        ),
        (
            "Shall I use the teal of the theme or your brand token?",
            "always the tokens please, never raw colours",
            "Shall I use the teal of the theme or your brand token? always the tokens please, never raw colours.",
        ),
        (
            "Soll ich die Spalte nur im Bericht weglassen oder schon beim Einlesen?",
            "beim einlesen",
            "Soll ich die Spalte nur im Bericht weglassen oder schon beim Einlesen? beim einlesen.",
        ),
    ],
)
def test_a_side_is_taken_in_a_persons_own_words(agent, reply, choice):
    """Of two sides that are asked for, also by `Which one?`, one is taken by a word that it alone has."""
    events = [Event("agent", "text", agent), Event("person", "prompt", reply)]
    cut = passages.cut(events)
    assert [one.text for one in cut if one.states == "decision"] == [choice]
    assert sum(agent.split(". ")[0] in one.text for one in cut) == 1  # the sides are told with it, and not again


@pytest.mark.parametrize(
    ("agent", "reply"),
    [
        ("Should we use SQLite or Postgres?", "SQLite. no wait, let me sleep on it"),
        ("Should old saves be migrated, or do we drop them?", "drop. actually wait. no, ok migrate them"),
        ("Soll ich pushen oder erst testen?", "erst testen"),
        ("要我先提交还是先跑测试？", "先跑测试"),
        ("Should the cache be local or shared?", "I already tried a shared one, it ran out of memory"),
    ],
)
def test_what_a_reply_takes_back_or_says_for_the_next_turn_decides_nothing(agent, reply):
    """Neither a word that is taken back, nor what is to be done next, nor what was tried, is a decision."""
    events = [Event("agent", "text", agent), Event("person", "prompt", reply)]
    assert not [one.text for one in passages.cut(events) if one.states == "decision"]


CHECK = "two ways: a) call `check_connection()` every second, b) poll the values."


@pytest.mark.parametrize(
    ("question", "agent", "reply", "choice", "why"),
    [
        (
            "",
            f"I see {CHECK}",
            "Polling overloaded it. So a).",
            "call `check_connection()` every second",
            "Polling overloaded it",
        ),
        ("", f"I see {CHECK} Polling is slow.", "b). the PLC allows it", "poll the values", "the PLC allows it"),
        ("", f"I see {CHECK}", "b) was slow, so a).", "", ""),
        ("", f"I see {CHECK}", "a). rename the module too", "call `check_connection()` every second", ""),
        ("", f"I see {CHECK}", "ok cool. b)", "poll the values", ""),
        ("", f"I see {CHECK}", "let's do the tests after that. b)", "poll the values", ""),
        ("", "一是首页自己请求；二是给缓存一个默认值。", "选二，辛苦了", "给缓存一个默认值", ""),
        ("", "Zwei: a) abfragen oder b) abonnieren.", "danke dir. b)", "abonnieren", ""),
        ("", "一是首页自己请求；二是给缓存一个默认值。", "选二吧，首屏要快", "给缓存一个默认值", "首屏要快"),
        (
            "",
            "Two ways: raise the limit, or switch to multipart. Multipart is cleaner.",
            "raise it. the mobile team won't change anything",
            "Two ways: raise the limit, or switch to multipart. raise it.",
            "the mobile team won't change anything",
        ),
        (
            "",
            "I can left-join, or resolve the ids through user_aliases.",
            "left join. wait no, then the segment is empty. resolve them through aliases then",
            "I can left-join, or resolve the ids through user_aliases. resolve them through aliases then.",
            "then the segment is empty",
        ),
        (
            "hi. should we use SSM instead of a bastion? what do you think",
            "SSM needs no port, but the vendor needs SSH.",
            "right, the vendor. bastion it is, until June",
            "should we use SSM instead of a bastion? bastion it is, until June.",
            "right, the vendor",
        ),
        (
            "",
            "Should we use SQLite or Postgres?",
            "SQLite. no wait, Postgres",
            "Should we use SQLite or Postgres? Postgres.",
            "",
        ),
        (
            "",
            "Sollen wir SQLite oder Postgres nehmen?",
            "SQLite. Moment, doch Postgres",
            "Sollen wir SQLite oder Postgres nehmen? Postgres.",
            "",
        ),
        ("", "用 SQLite 还是 Postgres？", "SQLite。等等，还是 Postgres", "用 SQLite 还是 Postgres？ Postgres。", ""),
    ],
)
def test_one_of_the_ways_in_a_sentence_is_taken_anywhere_in_a_reply(question, agent, reply, choice, why):
    """A sentence may list the ways, the last word counts, and why stands before the choice or behind a bare one."""
    events = [
        Event("person", "prompt", question or "it fails"),
        Event("agent", "text", agent),
        Event("person", "prompt", reply),
    ]
    decided = [(one.text, one.why.strip(".。")) for one in passages.cut(events) if one.states == "decision"]
    assert decided == ([(choice, why)] if choice else [])
