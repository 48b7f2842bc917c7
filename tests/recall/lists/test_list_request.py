"""Which records a question asks for, told by its words alone."""

from __future__ import annotations

import pytest

from sleep.recall import question
from sleep.recall.lists import list_request
from sleep.records.kinds import KINDS


def _kinds(text):
    request = list_request.parse(question.parse(text, "2031-01-01"))
    return request and (request.kinds[0], *request.terms)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("what is blocked?", "blocker"),
        ("Is anything stuck?", "blocker"),
        ("what are we waiting for", "blocker"),
        ("what's still unclear?", "question"),
        ("what have we not decided yet", "question"),
        ("which tasks are open", "task"),
        ("what still needs doing?", "task"),
        ("what else needs doing", "task"),
        ("qu'est-ce qui reste ouvert ?", "question"),
        ("what must I never do?", "constraint"),
        ("show me the latest decisions", "decision"),
        ("what didn't work?", "dead end"),
        ("lessons learned?", "insight"),
        ("which threads are paused", "thread"),
        ("what's next?", "handoff"),
        ("where did we leave off", "handoff"),
        ("fixes", "fix"),
        ("all recent fixes", "fix"),
        ("handoffs", "handoff"),
        ("what did the last handoff say?", "handoff"),
        ("was ist blockiert?", "blocker"),
        ("worauf warten wir noch?", "blocker"),
        ("was darf ich auf keinen Fall tun?", "constraint"),
        ("was ist als Nächstes dran?", "handoff"),
        ("我们在等什么？", "blocker"),
        ("绝对不能做什么？", "constraint"),
        ("还有什么要做？", "task"),
        ("qu'est-ce qui est bloqué ?", "blocker"),
        ("¿qué queda por hacer?", "task"),
        ("cosa abbiamo deciso?", "decision"),
        ("o que falta fazer?", "task"),
        ("wat hebben we besloten?", "decision"),
        ("что дальше?", "handoff"),
        ("何を決めましたか？", "decision"),
        ("무엇을 결정했나요?", "decision"),
        ("anything blocked rn?", "blocker"),
        ("pls give me the todo list", "task"),
        ("how many tasks are open?", "task"),
        ("what have we tried that didn't work?", "dead end"),
        ("was haben wir vergeblich versucht?", "dead end"),
        ("who have we been waiting for?", "blocker"),
        ("上次做到哪里了？", "handoff"),
        ("残っているタスクは？", "task"),
        ("남은 작업이 뭐야?", "task"),
    ],
)
def test_a_question_for_all_records_of_a_kind(text, kind):
    """What people ask of a memory first is understood in eleven languages, and asks about nothing narrower."""
    assert _kinds(text) == (kind,)


@pytest.mark.parametrize(
    ("text", "kind", "terms"),
    [
        ("what did we decide about retries?", "decision", ("retri",)),
        ("which decisions were made in March on the cache", "decision", ("cach",)),
        ("did we agree on a date format?", "decision", ("date", "format")),
        ("any rules for commit messages?", "constraint", ("commit", "messag")),
        ("may I push to main?", "constraint", ("push", "main")),
        ("have we tried caching the tokens", "dead end", ("cach", "token")),
        ("how was the memory leak solved?", "fix", ("memori", "leak")),
        ("any gotchas with the hooks?", "insight", ("hook",)),
        ("what failed in CI?", "dead end", ("ci",)),
        ("was haben wir zum Cache entschieden?", "decision", ("cach",)),
        ("关于缓存我们决定了什么？", "decision", ("缓存",)),
        ("remaining work for the release", "task", ("releas",)),
        ("was ist beim Import noch zu tun?", "task", ("import",)),
        ("was ist im Parser noch offen?", "question", ("parser",)),
        ("qu'avons-nous décidé pour le cache ?", "decision", ("cach",)),
        ("how did we decide to handle retries?", "decision", ("handl", "retri")),
        ("what did we decide about where logs go?", "decision", ("log", "go")),
    ],
)
def test_a_question_for_records_about_something(text, kind, terms):
    """What a question asks about is what is left of it without the words that ask for records, and days."""
    assert _kinds(text) == (kind, *terms)


@pytest.mark.parametrize(
    "text",
    [
        "how does the lock work?",
        "what does the loop wait for?",
        "what is open source about it?",
        "what happens next after the handshake",
        "does the hook block the client?",
        "what is a blocking queue",
        "what is the rule of thumb for the budget",
        "how are questions parsed?",
        "what is the task queue built with?",
        "wie läuft der Import?",
        "数据库用的是什么？",
        "¿cómo funciona el bloqueo de archivos?",
        "where is the todo file?",
        "how do I list open tasks?",
        "how are decisions stored?",
        "hey, when is the todo list rotated?",
        "who decided to drop Redis?",
        "what rule does eslint use for semicolons?",
        "what does the next step of the wizard validate?",
        "what task queue do we use?",
        "which thread runs the timer?",
        "what process is waiting on the lock?",
        "what questions does the page answer?",
        "what is a decision tree?",
        "what is the app insights key?",
        "wo werden Entscheidungen gespeichert?",
        "wie lege ich offene Aufgaben an?",
        "welcher Port ist offen?",
        "待办文件在哪里？",
        "谁决定去掉 redis？",
        "où sont les décisions ?",
        "¿cómo se guardan las decisiones?",
        "dove sono le decisioni?",
        "onde ficam as decisões?",
        "hoe vind ik openstaande taken?",
        "где хранятся решения?",
        "決定事項はどこに保存されますか？",
        "결정사항은 어디에 저장돼?",
        "what is blocked? " + "Then go on with the parser. " * 8,
    ],
)
def test_other_questions_ask_for_no_records(text):
    """Words of a kind ask for nothing behind `where`, or as part of a name; a long text is a task or a paste."""
    assert _kinds(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "what did we do yesterday?",
        "what happened on 24 November?",
        "what changed since Monday?",
        "what did you work on last week",
        "what happened 3 days ago?",
        "was haben wir gestern gemacht?",
        "Was haben wir am 12. März gemacht?",
        "Was wurde gestern geändert?",
        "O que fizemos em março?",
        "Qu'avons-nous fait hier ?",
        "Qu’avons-nous fait hier ?",
        "Qu'est-ce qu'on a fait le 1er mars ?",
        "¿Qué pasó la semana pasada?",
        "что мы делали на прошлой неделе?",
        "что сделали 12 мая?",
        "今日は何をしましたか？",
        "2月22日发生了什么？",
        "昨天做了什么？",
        "summarize the last session",
        "what did we do last time?",
        "was war in der letzten Sitzung?",
        "上次会话做了什么？",
    ],
)
def test_a_question_for_whatever_happened(text):
    """A day or the last session alone asks for all that was journaled then."""
    request = list_request.parse(question.parse(text, "2031-01-01"))
    assert request
    assert (request.kinds, request.terms) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "what did Caroline do yesterday?",
        "did the importer fail on 24 November?",
        "what changed in the parser since Monday?",
    ],
)
def test_a_question_about_something_on_a_day_asks_for_words(text):
    """Who asks about something on a day is answered by what speaks of it."""
    assert list_request.parse(question.parse(text, "2031-01-01")) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [("decisions since Monday", "decision"), ("周一以来决定了什么？", "decision"), ("decisioni da lunedì", "decision")],
)
def test_a_word_before_a_day_is_no_subject(text, kind):
    """Who asks for records since a day asks about nothing narrower."""
    assert _kinds(text) == (kind,)


def test_what_is_next_is_no_matter_of_one_session():
    """Who asks where the last session stopped asks for all open tasks, whichever session left them."""
    assert not list_request.parse(question.parse("where did we leave off last time?")).instance


@pytest.mark.parametrize(
    ("text", "instance", "kinds"),
    [
        ("what did instance 29 do?", "29", ()),
        ("summarize session #7", "7", ()),
        ("was hat Instanz 12 gemacht?", "12", ()),
        ("总结会话 12", "12", ()),
        ("qu'a fait la session 3 ?", "3", ()),
        ("¿qué hizo la sesión 3?", "3", ()),
        ("cosa ha fatto la sessione 3?", "3", ()),
        ("o que fez a sessão 3?", "3", ()),
        ("wat deed sessie 3?", "3", ()),
        ("что делала сессия 3?", "3", ()),
        ("セッション3で何をした?", "3", ()),
        ("세션 3에서 뭐 했어?", "3", ()),
        ("what did instance 29 decide?", "29", ("decision",)),
        ("summarize the last session", list_request.LAST, ()),
    ],
)
def test_a_session_is_asked_for_by_its_number(text, instance, kinds):
    """Who asks what an instance did or decided names it by its number, or as the last one."""
    request = list_request.parse(question.parse(text, "2031-01-01"))
    assert (request.instance, request.kinds, request.terms) == (instance, kinds, ())


@pytest.mark.parametrize(
    "text",
    [
        "what is this project about?",
        "hey, what's this repo for",
        "who is it for?",
        "what's the goal of this project?",
        "wozu dient dieses Projekt?",
        "worum geht es hier?",
        "这个项目是做什么的？",
        "à quoi sert ce projet ?",
        "¿para qué sirve este proyecto?",
        "di cosa si occupa il progetto?",
        "para que serve este projeto?",
        "waar gaat dit project over?",
        "для чего этот проект?",
        "このプロジェクトは何ですか？",
        "이 프로젝트는 뭐야?",
    ],
)
def test_what_the_project_is_for_is_asked_for(text):
    """Who asks what the project is for asks for no record."""
    assert list_request.parse(question.parse(text)).is_purpose


@pytest.mark.parametrize(
    "text",
    [
        "what is this project's retry limit?",
        "what is the purpose of the lock file?",
        "session 12 of the course",
        "instance 3 of the server crashed",
        "sessione 3 del corso",
    ],
)
def test_what_a_part_of_the_project_is_for_is_no_such_question(text):
    """Who asks what something in the project is, or speaks of a session of something, is answered by words."""
    assert list_request.parse(question.parse(text)) is None


def test_a_session_of_something_is_no_instance():
    """Records of a session of something are those with the words; `do` asks, though it is `of the` in Portuguese."""
    assert not list_request.parse(question.parse("decisions of session 12 of the course")).instance
    assert list_request.parse(question.parse("what did instance 9 do about undo?")).instance == "9"


def test_records_that_do_not_bind_any_more_are_asked_for():
    """Who asks for what was answered or done does not ask for what is open."""
    assert list_request.parse(question.parse("which questions were answered?")).is_closed
    assert not list_request.parse(question.parse("which questions are unanswered?")).is_closed


def test_every_form_names_a_kind_or_several():
    """Each section of the word lists leads to kinds that there are."""
    for name in list_request.names():
        assert set(list_request.kinds(name)) <= set(KINDS)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("rules", ("constraint", "", "")),
        ("the tasks", ("task", "", "")),
        ("rules of instance 9", ("constraint", "", "9")),
        ("questions of the last session", ("question", "", "last")),
        ("tasks left from instance 25", ("task", "", "25")),
        ("which questions did instance 12 raise?", ("question", "", "12")),
        ("doubts about secrets", ("doubt", "secret", "")),
        ("how many rules are there?", ("constraint", "", "")),
        ("how many doubts are open?", ("doubt", "", "")),
        ("handoff of instance 31", ("handoff", "", "31")),
        ("Regeln zu Tests", ("constraint", "test", "")),
        ("Regeln von Instanz 9", ("constraint", "", "9")),
        ("règles sur les tests", ("constraint", "test", "")),
        ("tareas de la instancia 3", ("task", "", "3")),
        ("关于测试的规则", ("constraint", "测试", "")),
    ],
)
def test_the_name_of_a_kind_asks_for_its_records(text, asked):
    """A question that begins with the name of a kind, before a small word or nothing, asks for records of the kind."""
    request = list_request.parse(question.parse(text))
    assert (request.kinds[0], " ".join(request.terms), request.instance) == asked


@pytest.mark.parametrize("text", ["thread safety of the index", "the tasks module", "doubt threshold", "redis cache"])
def test_what_begins_with_the_name_of_a_kind_may_name_something_else(text):
    """The name of a kind before another word is a part of what that names."""
    assert list_request.parse(question.parse(text)) is None


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("which decisions of instance 2 are still open?", ()),
        ("which decisions still stand?", ()),
        ("which decisions are in force about the cache?", ("cach",)),
        ("which tasks of instance 3 are not done yet?", ()),
        ("open decisions about open source", ("open", "sourc")),
        ("实例2的决定哪些还有效", ()),
    ],
)
def test_that_records_hold_is_not_what_they_are_about(text, terms):
    """Words that ask for records that hold or are open are no subject, and ask for none that are closed."""
    request = list_request.parse(question.parse(text))
    assert (request.terms, request.is_closed) == (terms, False)


@pytest.mark.parametrize(
    ("text", "kinds", "is_since"),
    [
        ("what is still open since session 12?", 5, True),
        ("was wurde seit Instanz 12 entschieden?", 1, True),
        ("what has changed since instance 12?", 0, True),
        ("what did instance 12 do?", 0, False),
        ("what did instance 12 do since March?", 0, False),
    ],
)
def test_since_stands_beside_the_instance_that_it_is_of(text, kinds, is_since):
    """All that came later is asked for where `since` speaks of an instance, and not where it speaks of a day."""
    request = list_request.parse(question.parse(text))
    assert (len(request.kinds), request.terms, request.instance, request.is_since) == (kinds, (), "12", is_since)


def test_what_an_instance_has_on_something_is_asked_for():
    """A question about something in an instance asks for what of that instance has it, of whatever kind."""
    request = list_request.parse(question.parse("what changed about the handoff in instance 29?"))
    assert request == list_request.ListRequest((), ("handoff",), instance="29")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("What did the user ask for?", ""),
        ("what did the user want in the last session?", ""),
        ("what did I say about the tests", "test"),
        ("what were you asked to do", ""),
        ("Was hat der Nutzer zu den Tests gesagt?", "test"),
        ("用户要求了什么？", ""),
        ("qu'a demandé l'utilisateur ?", ""),
        ("¿qué pidió el usuario?", ""),
        ("cosa ha chiesto l'utente?", ""),
        ("o que o usuário pediu?", ""),
        ("wat heeft de gebruiker gevraagd?", ""),
        ("ユーザーは何を求めましたか", ""),
        ("사용자가 무엇을 요청했나요?", ""),
        ("что просил пользователь?", ""),
    ],
)
def test_what_the_person_of_a_session_said_is_asked_for(text, terms):
    """Who asks what the user said, asked for or wanted asks for the words of the person of a session."""
    request = list_request.parse(question.parse(text))
    assert (request.is_voice, " ".join(request.terms)) == (True, terms)


@pytest.mark.parametrize("text", ["what does a user see on the page", "did the user table change", "what do I say"])
def test_a_question_with_a_user_is_not_one_for_their_words(text):
    """A user who does something else is a subject."""
    request = list_request.parse(question.parse(text))
    assert not (request and request.is_voice)
