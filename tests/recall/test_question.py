"""What a question is understood as."""

import pytest
from processor_time import spent

from sleep.language import words
from sleep.recall import periods, question
from sleep.recall.periods import Span


@pytest.mark.parametrize(
    ("text", "first", "last", "exact"),
    [
        ("What happened on 7 July, 2023?", "2023-07-07", "2023-07-07", True),
        ("What happened on July 7th, 2023?", "2023-07-07", "2023-07-07", True),
        ("What happened on 2023-07-07?", "2023-07-07", "2023-07-07", True),
        ("What was decided in March 2024?", "2024-03-01", "2024-03-31", False),
        ("What was decided in March?", "--03-01", "--03-31", False),
        ("What did we do in 2022?", "2022-01-01", "2022-12-31", False),
        ("What did I do yesterday?", "2024-02-29", "2024-02-29", True),
        ("What did I do 2 days ago?", "2024-02-28", "2024-02-28", True),
        ("what broke on Monday?", "2024-02-26", "2024-02-26", True),
        ("was lief am Freitag?", "2024-02-23", "2024-02-23", True),
        ("what changed since Monday?", "2024-02-26", "2024-03-01", False),
        ("what changed since 5 November?", "2023-11-05", "2024-03-01", False),
        ("what has changed since the end of January?", "2024-01-01", "2024-03-01", False),
        ("cosa è cambiato da gennaio?", "2024-01-01", "2024-03-01", False),
        ("что изменилось с 5 января?", "2024-01-05", "2024-03-01", False),
        ("1月以来改了什么？", "2024-01-01", "2024-03-01", False),
        ("1月から何が変わった？", "2024-01-01", "2024-03-01", False),
        ("O que a equipe da API decidiu em janeiro de 2024?", "2024-01-01", "2024-01-31", False),
        ("Was war am 7. Juli da los?", "--07-07", "--07-07", True),
        ("что было 5 января с парсером?", "--01-05", "--01-05", True),
        ("昨天自动部署做了什么？", "2024-02-29", "2024-02-29", True),
        ("What did we do last week?", "2024-02-16", "2024-03-01", False),
        ("Was geschah am 7. Juli?", "--07-07", "--07-07", True),
        ("Was haben wir im Dezember 2023 entschieden?", "2023-12-01", "2023-12-31", False),
        ("Was haben wir letzte Woche getan?", "2024-02-16", "2024-03-01", False),
        ("Qu'a-t-on fait le 12 mars ?", "--03-12", "--03-12", True),
        ("¿Qué hicimos el 3 de mayo?", "--05-03", "--05-03", True),
        ("Que s'est-il passé hier ?", "2024-02-29", "2024-02-29", True),
        ("Was war im Jahr 2022?", "2022-01-01", "2022-12-31", False),
        ("¿Qué decidimos en marzo de 2024?", "2024-03-01", "2024-03-31", False),
        ("Que s'est-il passé en juillet ?", "--07-01", "--07-31", False),
        ("3月5日做了什么？", "--03-05", "--03-05", True),
        ("2024年3月决定了什么？", "2024-03-01", "2024-03-31", False),
        ("2022年做了什么？", "2022-01-01", "2022-12-31", False),
        ("昨天做了什么？", "2024-02-29", "2024-02-29", True),
    ],
)
def test_days_are_read(text, first, last, exact):
    """Days, months, years and what is told from today become spans of days."""
    assert periods.find_spans(text, "2024-03-01") == (Span(first, last, exact),)


def test_a_verb_is_no_month():
    """May and march are months only where they are written so, and a figure above twelve is no month."""
    assert periods.find_spans("May I march on?") == ()
    assert periods.find_spans("编号13月32日的文件在哪里？") == ()


def test_the_very_day_fits_best():
    """A day fits better than the days around it, and those better than a day far off."""
    asked = periods.find_spans("on 7 July 2023")
    fits = [periods.fit(day, asked) for day in ("2023-07-07", "2023-07-10", "2023-09-01")]
    assert fits == sorted(fits, reverse=True)
    assert len(set(fits)) == 3


def test_a_name_may_begin_with_one_small_letter():
    """`iOS` is a name and no two words, `addItem` is a word of code and no name."""
    assert question.parse("did the iOS app get approved").names == (("ios", ("ios",)),)
    assert not question.parse("what calls addItem").names


def test_names_handles_and_breadth_are_told():
    """A question says whom it names, which records it calls, and whether a stretch is asked for."""
    read = question.parse("Summarize what Caroline said on D-14 and [i7qxk.12]")
    assert "caroline" in dict(read.names)
    assert read.handles == ("i7qxk.12", "D-014")
    assert read.is_broad
    assert not question.parse("When did Caroline move?").is_broad
    assert question.parse("When did Caroline move?").asks_when


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Was haben wir über Terraform entschieden?", ("terraform", "entschieden")),
        ("Pourquoi avons-nous choisi l'architecture ?", ("choisi", "architectur")),
        ("¿Por qué elegimos Terraform?", ("elegimo", "terraform")),
        ("Perché abbiamo scelto Terraform?", ("scelto", "terraform")),
        ("Por que nós escolhemos o Terraform?", ("escolhemo", "terraform")),
        ("Waarom hebben we voor Terraform gekozen?", ("terraform", "gekozen")),
    ],
)
def test_the_small_words_of_other_languages_are_not_looked_for(text, terms):
    """What a question in another language has whatever it is about is left out."""
    assert set(question.parse(text).terms) - {"no"} == set(terms)


@pytest.mark.parametrize("text", ["Who has to die in the war?", "Is there a comment on the door?", "Los Angeles"])
def test_english_keeps_what_is_small_elsewhere(text):
    """A word that English has too is left out only where others tell the language."""
    assert set(question.parse(text).terms) == set(words.terms(text))


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("D-9999", "D-9999"),
        ("what is D-14?", "D-014"),
        ("[i4zzz.1]", "i4zzz.1"),
        ("i62edf", "i62edf"),
        ("Why was D-014 reversed?", ""),
        ("D-1 and D-2", ""),
        ("index", ""),
    ],
)
def test_a_question_that_only_calls_something_is_told(text, called):
    """An address, a record or an instance that is all of a question is known as that."""
    assert question.parse(text).called == called


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What happened in Septemebr 2017?", "2017-09-01", "2017-09-31"),
        ("What happened in Septmber?", "--09-01", "--09-31"),
        ("the Apirl 2017 release", "2017-04-01", "2017-04-31"),
    ],
)
def test_a_slipped_month_is_read_as_the_month(text, first, last):
    """A month with one letter wrong is a month beside a year and behind `in`, and the reader is told."""
    read = question.parse(text)
    assert [(one.first, one.last) for one in read.days] == [(first, last)]
    assert len(read.mended) == 1


@pytest.mark.parametrize("text", ["in Augusta", "the Marsh behind the house", "in September 2017", "We met Decembra"])
def test_other_words_are_no_slipped_months(text):
    """A town and a month that is written right are left as they are."""
    assert not question.parse(text).mended


def test_the_parts_of_what_is_called_are_not_looked_for():
    """Of a record's number only the whole is a term, and what else is asked stays."""
    assert question.parse("Why D-999 with 9 of 12?").terms == ("d-999", "9", "12")


def test_a_name_with_a_sign_names_nobody():
    """The letter of C++ is not taken for somebody called C."""
    read = question.parse("Why C++ and .NET?")
    assert read.names == ()
    assert read.terms == ("c++", ".net")


@pytest.mark.parametrize(
    ("text", "asks", "focus"),
    [
        ("How many followers does our account have?", question.COUNT, "follow"),
        ("What did the machine cost?", question.MONEY, "machin"),
        ("Which bank pays us?", question.MONEY, "bank"),
        ("How long may it run?", question.AMOUNT, "run"),
        ("How many people came, and why?", question.REASON, "person"),
        ("Where is it kept, and who signed it?", "", ""),
        ("When must I ask first?", question.REASON, ""),
        ("By when must it be done?", question.DAY, ""),
        ("What keeps the commit, when saving is put off?", "", "keep"),
        ("What did the load test show?", question.RESULT, "load"),
        ("What was the outcome of the vote?", question.RESULT, "outcom"),
        ("Who signed the contract?", question.PERSON, ""),
        ("When is the birthday?", question.DAY, ""),
        ("Under which licence is it published?", question.CHOICE, "licenc"),
        ("How do I restart the hub?", question.REASON, ""),
        ("Warum ist der Server langsam?", question.REASON, ""),
        ("服务器每个月要花多少钱？", question.MONEY, ""),
        ("Combien de panneaux sont sur le toit ?", question.COUNT, "panneaux"),
        ("¿Cuántos paneles hay en el techo?", question.COUNT, "panel"),
        ("¿Cuándo llega el camión?", question.DAY, ""),
        ("Pourquoi le serveur est-il lent ?", question.REASON, ""),
        ("Is the hub running?", "", ""),
    ],
)
def test_what_is_asked_for_is_told(text, asks, focus):
    """A question says whether it asks for a value, and of which thing; with `how many` nothing is looked for."""
    read = question.parse(text)
    assert (read.asks, read.focus) == (asks, focus)
    assert not {"mani", "much"} & set(read.terms)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Which streams carry the event queue?", ("stream",)),
        ("Which model runs our nightly job?", ("model",)),
        ("What did the load test of the store show?", ("load", "test")),
        ("What was the result of the security audit?", ("secur", "audit")),
        ("Which law firm read it?", ("law", "firm")),
        ("Which models hosted by us are gone?", ("model",)),
        ("Who installed the inverter?", ("instal",)),
        ("Is the hub running?", ()),
    ],
)
def test_the_first_words_that_name_something_are_the_subject(text, subject):
    """The subject of a question are the first two words behind the one that asks, before a small word or participle."""
    assert question.parse(text).subject == subject


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        *(("Почему SQLite?", ("sq", "lite", "sqlite")), ("Какие вопросы открыты?", ("вопросы", "открыты"))),
        *(("なぜ --max-turns 200 にしたのか？", ("max", "turn", "maxturn", "200")), ("連携はどうなった？", ("連携",))),
        *(
            ("プレビューを縮小してもいい？", ("プレ", "レビ", "ビュ", "ュー", "縮小")),
            ("왜 버전을 사용했나?", ("버전", "사용")),
        ),
        *(("회의는 언제 하나요?", ("회의",)), ("为什么放弃安卓？", ("放弃", "弃安", "安卓"))),
    ],
)
def test_question_words_of_each_language_are_not_searched(text, terms):
    """What only asks, and what grammar adds, is no term in any script."""
    assert question.parse(text).terms == terms


@pytest.mark.parametrize("text", ["O que falta fazer?", "Qual o próximo passo?"])
def test_an_article_that_english_has_as_a_letter_is_not_missed(text):
    """A memory that lacks `o` may well have the answer."""
    assert "o" in question.parse(text).unmissed
    assert "c" not in question.parse("Why did we use C?").unmissed


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("how fast is a sleep now?", ("fast", "sleep")),
        ("how long does a sleep take at the moment?", ("long", "sleep", "take")),
        ("current speed of a sleep", ("speed", "sleep")),
        ("Wie schnell ist die Suche jetzt?", ("schnell", "such")),
        ("现在的端口是什么", ("端口",)),
        ("latest", ("latest",)),  # nothing else is asked for
    ],
)
def test_how_things_are_now_is_asked_without_a_word_for_it(text, terms):
    """Words that ask for how things are now are not looked for: nobody writes that a figure is the present one."""
    asked = question.parse(text)
    assert asked.is_now
    assert asked.terms == terms


@pytest.mark.parametrize("text", ["why is the current directory a link", "known errors", "what did we do today?"])
def test_other_words_do_not_ask_for_the_present(text):
    """A part of a name is a word as any other, and a day is a day."""
    assert not question.parse(text).is_now


def test_a_pasted_blob_is_read_once():
    """A word of thousands of letters is looked through once for hyphens, and not from each of its letters on."""
    assert spent(question.parse, "how do hooks " + "abcdefgh" * 3_000) < 1
