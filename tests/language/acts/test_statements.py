"""Statements: the forms that say what they are, and the ordinary words that only look like them."""

from __future__ import annotations

import pytest

from sleep.compression import passages, redundancy
from sleep.language import quotation
from sleep.language.acts import grammar, statements
from sleep.transcripts.events import Event


def stated(text, role="person"):
    """Return (kind, words, why) of what the one message of a session states."""
    kind = "prompt" if role == "person" else "text"
    return [(one.states, one.text, one.why) for one in passages.cut([Event(role, kind, text)]) if one.states]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Never push to main.", "Never push to main."),
        ("please never rename b.py without asking", "please never rename b.py without asking"),
        ("From now on, run the tests first.", "From now on, run the tests first."),
        ("we always squash before merging", "we always squash before merging"),
        ("Fix the header, and please never round prices.", "please never round prices."),
        ("Before every commit run the linter.", "Before every commit run the linter."),
        ("Generated files must never be edited by hand.", "Generated files must never be edited by hand."),
        ("Rule: no new dependencies.", "no new dependencies."),
        ("Bitte niemals direkt auf main pushen.", "Bitte niemals direkt auf main pushen."),
        ("can you fix it? also please don't touch anything in vendor/", "please don't touch anything in vendor/"),
        ("Do not use mocks where a real thing works.", "Do not use mocks where a real thing works."),
        ("Never edit `gen/api.ts`, a program writes it.", "Never edit `gen/api.ts`, a program writes it."),
        ("From now on run prettier before you commit, ok?", "From now on run prettier before you commit"),
        ("Ab jetzt bitte vor dem Commit formatieren, ja?", "Ab jetzt bitte vor dem Commit formatieren"),
        ("提交之前必须跑一遍 lint，好吗？", "提交之前必须跑一遍 lint"),
        (
            "hey, for the future: whenever you touch the schema, please regenerate the client",
            "whenever you touch the schema, please regenerate the client",
        ),
        (
            "one thing that's been annoying me, general thing: when you show a figure please always say its month",
            "when you show a figure please always say its month",
        ),
        (
            "last thing, whenever we deploy please always tag the image",
            "whenever we deploy please always tag the image",
        ),
        (
            "Für die Zukunft: An der Anlage wird nichts verändert, wir haben nur Leserechte.",
            "Für die Zukunft: An der Anlage wird nichts verändert.",
        ),
        (
            "remember that the staging db is shared so never truncate tables there",
            "the staging db is shared so never truncate tables there",
        ),
        (
            "Bitte nie direkt auf den main-Branch pushen, immer über einen PR.",
            "Bitte nie direkt auf den main-Branch pushen, immer über einen PR.",
        ),
        ("另外不要动 vendor 目录里的文件。", "另外不要动 vendor 目录里的文件。"),
        ("No reuse without written permission.", "No reuse without written permission."),
        ("No, never push to main.", "never push to main."),
        ("no never push to main", "never push to main"),
        ("no don't ever touch vendor/", "don't ever touch vendor/"),
        ("Run the tests before every commit. No exceptions.", "Run the tests before every commit."),
        ("Do the tests first, always run lint before a commit.", "always run lint before a commit."),
        ("ok but no deploys without my go-ahead", "no deploys without my go-ahead"),
    ],
)
def test_a_persons_rule_is_the_sentence_that_lays_it_down(said, rule):
    """What a person lays down for good is a constraint in their words, without what only leads to it."""
    assert [(kind, words) for kind, words, _ in stated(said)] == [("constraint", rule)]


@pytest.mark.parametrize(
    "said",
    [
        "Never mind, I fixed it myself.",
        "The file was saved ten minutes ago without my knowing.",
        "It ran on the old rows without explicit conversion.",
        "Do not edit the plan file itself in this step.",
        "never edit any files in this phase",
        "Should it run before every commit, or only on main, ok?",
        "nie gehört, was macht das?",
        "不要动它",
        "I always forget how the cache works, explain it to me",
        "the button must be blue on the settings page",
        "Don't worry about the warnings for now.",
        "You should not need more than ten lines for that",
        "In a fork, try an LRU cache instead.",
        "don't do that",
        "please don't change it yet",
        "Don't touch the parser for now.",
        "Don't forget to run the tests",
        "Why do we never push to main?",
        "Should we always squash?",
        "It never worked on NFS.",
        "we always get this error on start",
        "can we decide to use flock?",
        "Let's look at the logs",
        "let's go with #4 and #5 please",
        "tell me why we decided to use flock",
        "we haven't decided on flock yet",
        'He said "never push to main. We decided to use flock." yesterday.',
    ],
)
def test_ordinary_words_state_nothing(said):
    """What is asked for, said in passing, for the moment, of the past or in a quotation is no rule and no choice."""
    assert stated(said) == []


@pytest.mark.parametrize(
    ("said", "kind", "words", "why"),
    [
        ("I decided to use flock because it is held.", "decision", "I decided to use flock.", "it is held."),
        ("We settled on SQLite. Otherwise writers collide.", "decision", "We settled on SQLite.", "writers collide."),
        ("I'm going with one table.", "decision", "I'm going with one table.", ""),
        ("**Decision:** one small table, since the join is slow.", "decision", "one small table.", "the join is slow."),
        ("Open question: who owns it?", "question", "who owns it?", ""),
        ("## Next steps\n\n- Write the docs.", "task", "Write the docs.", ""),
        ("Blocked: no access to the server.", "blocker", "no access to the server.", ""),
        ("I tried fcntl but it was lost.", "dead end", "I tried fcntl but it was lost.", ""),
    ],
)
def test_an_agent_states_what_it_says_plainly(said, kind, words, why):
    """A choice in the first person, a label and an item below a kind's name are records, with their reasons."""
    assert stated(said, "agent") == [(kind, words, why)]


@pytest.mark.parametrize(
    "said",
    [
        "I decided to look at the logs first.",
        "Portalocker might be chosen over flock.",
        "If we decided to use flock, NFS would break.",
        "You could go with flock.",
        "The page says that all commits need a sign. I decided to follow the page.",
        "Always use the lock.",
        "I have not decided on a lock yet.",
    ],
)
def test_an_agents_moves_and_suppositions_state_nothing(said):
    """What an agent does next, supposes, reports of a page or would decree binds nobody."""
    assert [one for one in stated(said, "agent") if one[0] in ("decision", "constraint")] == []


def test_a_question_is_open_in_the_last_message_only():
    """What an agent asked before the conversation went on is no open question, nor is what it answers itself."""
    found = passages.cut(
        [
            Event("agent", "text", "Should I use flock?"),
            Event("person", "prompt", "Yes, use it."),
            Event("agent", "text", "Why was it lost? Because the server restarted. Who owns the server?"),
        ]
    )
    assert [one.text for one in found if one.states == "question"] == ["Who owns the server?"]


@pytest.mark.parametrize(
    "said",
    [
        "Let me check what happens there - does it add the folder or commit it?",
        "Now let me see whether it is a race: is there a lock?",
        "Jetzt prüfe ich das: gibt es eine Sperre?",
        "让我看看这里有没有锁？",
    ],
)
def test_what_an_agent_is_about_to_look_at_is_no_open_question(said):
    """A question behind `let me check` is asked of the code, and of nobody."""
    assert stated(said, "agent") == []
    assert [kind for kind, *_ in stated("Does it add the folder or commit it?", "agent")] == ["question"]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Mine.\n> theirs\nmine", ["Mine.", "mine"]),
        ("Mine. <document>theirs</document> mine", ["Mine. ", " mine"]),
        ('Mine\n<channel user="m">\ntheirs\n\ntheirs', ["Mine", ""]),
        ("Use `<T>` and List<String> here", ["Use `<T>` and List<String> here"]),
        ("a < b and c > d", ["a < b and c > d"]),
        ("From: a@b.c\nSubject: x\n\ntheirs", []),
        ("From: here on it is mine", ["From: here on it is mine"]),
        ("Mine\nOn Monday, 2 Nov 2026, Bob wrote:\ntheirs", ["Mine"]),
        ("The README says:\n\ntheirs", ["The README says:"]),
    ],
)
def test_whose_words_they_are_is_told_by_their_form(text, own):
    """Lines of a quotation, a tag, a mail and what a report announces are somebody else's; code and signs are not."""
    assert [line for line, is_quoted in quotation.lines(text) if not is_quoted] == own


def test_quotations_are_blanked_in_place():
    """A text whose quotations are blanked is as long as before, and differs only within them."""
    text = 'He says "never push" and `always run`.'
    assert quotation.masked(text) == 'He says "_____ ____" and `xxxxxxxxxx`.'


def test_headings_that_say_more_than_a_kind_name_none():
    """A kind is named by its name alone."""
    names = ("Decisions", "Open questions:", "**Next steps**", "Decisions needed", "What we changed", "Test plan")
    assert [statements.named(one) for one in names] == ["decision", "question", "task", "", "", ""]


def test_a_rule_begins_behind_what_leads_to_it():
    """Where a rule begins is told in signs of its sentence."""
    assert grammar.rule("Oh, and also, never push.") == len("Oh, and also, ")
    assert grammar.rule("Fix it.") == -1


@pytest.mark.parametrize(
    "said", ["That is forbidden.", "That is mandatory.", "Das ist Pflicht.", "Das bleibt hier verboten."]
)
def test_what_only_points_back_is_no_rule(said):
    """It has no words of what is forbidden or required, and nobody would look for them."""
    assert grammar.rule(said) == -1
    assert grammar.rule(f"Pushing to main: {said}") == 0


@pytest.mark.parametrize("kind", sorted(statements.RECORDS))
def test_a_statement_that_is_read_again_is_the_same(kind):
    """What was stated keeps its kind, its words and its reason when it is cut a second time."""
    role = "person" if kind == "constraint" else "agent"
    why = "it is held." if kind in ("constraint", "decision") else ""
    assert stated(statements.plainly(kind, "One small table.", why), role) == [(kind, "One small table.", why)]


@pytest.mark.parametrize(
    "said",
    [
        "Still running.",
        "Working...",
        "Working on it.",
        "Still active.",
        "Waiting for it…",
        "Running the tests...",
        "One moment please.",
        "The source verifier is still running.",
        "Only the Test job is still pending.",
        "No final output yet.",
        "I’m letting it continue since it has not asked for input.",
        *("Noch keine Ausgabe.", "Der Build läuft noch.", "Ich lasse es weiterlaufen."),
        *("还没有输出。", "构建还在运行。"),
    ],
)
def test_a_line_of_progress_tells_nothing(said):
    """What only says that work goes on is known as such."""
    assert statements.waits(said, ends=False)


@pytest.mark.parametrize(
    "said",
    [
        "Still running into the race of `flock`.",
        "Working memory is limited to 2 GB.",
        "Running the tests takes nine minutes on two cores.",
        "The build is still running, but the docs are out.",
        "The old process is still running because nobody stopped it: kill it first.",
        "It works.",
        "No retry in the client yet.",
        "I'm letting the lock expire after an hour.",
        "Der alte Prozess läuft noch, weil ihn niemand beendet hat.",
        *("构建还在运行，但文档已经发布。", "迁移还没完成。", "Der Server hängt noch."),
        "Reading `rules.toml` fails on nested comments.",
    ],
)
def test_what_is_told_beside_progress_is_kept(said):
    """A sentence that tells more than that work goes on is none."""
    assert not statements.waits(said, ends=False)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Offen ist noch: Der Test der Sicherung.", "task"),
        ("Die Ursache: Der Prozess hält eine Transaktion.", "insight"),
        ("Il reste à faire : configurer l'alerte.", "task"),
        ("La cause : le fournisseur envoie du Latin-1.", "insight"),
        ("Queda pendiente: configurar la alerta.", "task"),
        ("Осталось сделать: настроить оповещение.", "task"),
        ("残タスク：失敗時のアラートが未設定です。", "task"),
        ("还有一个待办：死信队列的告警还没配置。", "task"),
        ("下一步：写手册。", "task"),
    ],
)
def test_a_label_states_a_kind_in_any_language(said, kind):
    """What stands behind the name of a kind and a colon is of that kind, behind a wide colon without a space too."""
    statement = statements.state(said, "agent", last=True)
    assert statement is not None
    assert (statement.kind, said[: statement.start].strip()[-1] in ":：") == (kind, True)


@pytest.mark.parametrize(
    "said",
    [
        "Règle : on ne déploie pas le vendredi.",
        "Regla: en viernes no se despliega.",
        "Правило: в пятницу не выкатываем.",
        *(
            "Regola: di venerdì non si rilascia.",
            "Regra: na sexta não se faz deploy.",
            "규칙: 금요일에 배포하지 않는다.",
        ),
    ],
)
def test_a_person_lays_down_a_rule_by_its_label(said):
    """What a person calls a rule is one, whatever the words behind it."""
    statement = statements.state(said, "person", last=True)
    assert statement is not None
    assert statement.kind == "constraint"


@pytest.mark.parametrize(
    "said",
    [
        "La causa es que el proveedor envía Latin-1.",
        "Le problème vient de l'horloge.",
        "Причина в том, что поставщик присылает CP1251.",
        "原因は、取引先が Shift_JIS で送ることです。",
    ],
)
def test_a_cause_is_told_in_any_language(said):
    """A sentence that says what was the matter is known as such."""
    assert statements.tells_cause(said)


@pytest.mark.parametrize("said", ["Et désormais, on teste sur une copie.", "И впредь: миграции проверяем на копии."])
def test_a_rule_may_begin_from_now_on(said):
    """Who says how it is done from now on lays down a rule."""
    assert [kind for kind, _, _ in stated(said, "person")] == ["constraint"]


@pytest.mark.parametrize(
    "said",
    [
        "Noted.",
        "Selbstverständlich.",
        "Alles klar.",
        "明白了。",
        "D'accord.",
        "Entendido.",
        "承知しました。",
        "Понял.",
    ],
)
def test_a_nod_tells_nothing(said):
    """What only says that something was heard is known as such in any language."""
    assert statements.acknowledges(said)


@pytest.mark.parametrize(
    ("said", "is_stage"),
    [
        *(("31 Tests laufen.", True), ("Alle sechs Tests laufen durch.", True), ("九个测试全过了。", True)),
        *(("Die Tests laufen noch.", False), ("Die Tests laufen nicht.", False), ("九个测试过了八个。", False)),
    ],
)
def test_that_all_tests_pass_is_a_stage(said, is_stage):
    """That a stage of the work went well is known as such; what still runs, or does not, is none."""
    assert grammar.has(said, "reports.stage") is is_stage


def test_what_still_runs_in_the_end_is_told():
    """When a session ends, that something still runs is news; that the agent works is not."""
    assert not statements.waits("The mirror job is still pending.", ends=True)
    assert statements.waits("Still running.", ends=True)


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("i want the head to be found by its name instead of by its place", "person"),
        ("no no, instead of joining the rows just write one long string", "person"),
        ("we went with Stripe instead of Adyen", "person"),
        ("btw we'll keep nginx and not move to caddy", "person"),
        ("we dropped IE11 support last week", "person"),
        ("we've moved from Jenkins to GitHub Actions", "person"),
        ("wir sind von Jenkins auf GitHub Actions umgestiegen", "person"),
        ("我们从 Jenkins 换成了 GitHub Actions", "person"),
        ("Use a plain file rather than the database.", "person"),
        ("I don't want to use any broker.", "person"),
        ("No need to use a broker for that.", "person"),
        ("I'll report the gap rather than change the design, because it is frozen.", "agent"),
        ("Let me pass a context object instead of five arguments, so that callers stay as they are.", "agent"),
        ("**Decision:** I'll report the gap rather than change the design.", "agent"),
    ],
)
def test_what_is_wanted_instead_of_something_is_a_choice(said, role):
    """A person's wish chooses by naming what it is instead of, an agent's intention by its reason or label, too."""
    assert [kind for kind, _, _ in stated(said, role)] == ["decision"]


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("I'll wait rather than look at it myself.", "agent"),
        ("Let me check the log instead of guessing.", "agent"),
        ("I'll report the gap rather than change the design.", "agent"),
        ("It prints the path instead of the name.", "agent"),
        ("don't change any of the other rows except this one", "person"),
        ("so don't do anything about the build now.", "person"),
        ("I don't have a linter yet, and never had one.", "person"),
    ],
)
def test_what_waits_tells_or_passes_is_no_choice_and_no_rule(said, role):
    """A move, a report, and what a person asks for this once or says of themselves."""
    assert stated(said, role) == []


@pytest.mark.parametrize(
    "said",
    [
        "Is there a symlink? Let me check:",
        "Would you like me to see whether it runs or to look at any specific part of it?",
        "Would you like me to: draw the chart now, so it is there when you need it? Write the page for it? Both?",
        "Would you like me to:\n1. Run the whole set-up?\n2. Write the page for it?\n3. Or draw the chart?",
        "Is this layout fine? Once confirmed, I'll start with the first step.",
    ],
)
def test_what_an_agent_asks_itself_or_offers_stays_not_open(said):
    """A question that its next sentence goes to answer is none; an offer becomes a note."""
    assert [kind for kind, text, _ in stated(said, "agent") if not redundancy.is_offer(text)] == []


def test_the_other_side_of_a_choice_is_no_question_of_its_own():
    """`Or ...?` goes on with the question before it."""
    said = "Should it stay open in the background? Or only while the window is there?"
    assert [text for kind, text, _ in stated(said, "agent") if kind == "question"] == [
        "Should it stay open in the background?"
    ]


def test_what_a_person_has_to_do_is_a_task_of_the_last_message():
    """An agent says what it leaves to the person; what the person needs to know is none."""
    assert stated("The store is ready. You'll need to create the key by hand.", "agent") == [
        ("task", "You'll need to create the key by hand.", "")
    ]
    assert stated("Here is all you need to count the rows of it.", "agent") == []


@pytest.mark.parametrize(
    ("said", "role", "is_one"),
    [
        ("we should call ours max_items as well to be consistent.", "person", True),
        ("we should call ours max_items as well to be consistent.", "agent", False),
        ("we should look at the failing test to be consistent", "person", False),
        ("Should we call it max_items to be consistent?", "person", False),
    ],
)
def test_what_a_person_wants_for_the_sake_of_consistency_is_a_choice(said, role, is_one):
    """A name or a use that a person asks for, to be like others, is decided; a question, and an agent's, is not."""
    found = statements.state(said, role)
    assert (found is not None and found.kind == "decision") is is_one


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("I have not run the tests of the relay yet.", "task"),
        ("I did not run the integration tests.", "task"),
        ("I did not push anything.", ""),
        ("I did not run the full suite because this change only removes a plugin.", ""),
    ],
)
def test_what_an_agent_refrained_from_is_nothing_left_to_do(words, kind):
    """What was not done is still to do, but not where an agent says that it did nothing of the kind, or why."""
    found = statements.state(words, "agent", last=True)
    assert (found.kind if found else "") == kind


def test_a_question_that_goes_on_states_no_choice():
    """Who asks whether a thing may be changed has not chosen, whatever stands behind the question."""
    assert stated("可以把导航的内容换成下拉框吗，这样就不用经常打开侧边栏了") == []
    assert stated("我们把导航的内容换成下拉框，这样就不用经常打开侧边栏了") != []
