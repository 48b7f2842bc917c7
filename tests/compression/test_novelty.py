"""Strange words: what may be said in a compressor's own words, and what must stand in the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.compression.novelty import denies, lost_denials, strange
from sleep.language.acts.forms import form

SOURCE = (
    "The parser of `src/part1.py` reads 312 rows twice, so v1.2.3 of Redis Cluster is slow; filelock costs 4.9 times. "
    "Ada asked why `git add --all` is run. The limit is 9,500 bytes on 2026-11-21, in readFile and read_all."
)


@pytest.mark.parametrize(
    "text",
    [
        "the reading of rows is far too slow, sadly",  # ordinary words are free
        "Reading `src/part1.py` is slow",  # a first word that begins as one of the source does
        "Because Ada asked",  # a word that sentences often begin with
        "part1.py reads 312 rows",  # the last part of a path
        "Redis-backed rows",  # a compound
        "Ada's reason",
        "9,500 bytes, 4.9 times; v1.2.3!",
        "(readFile, read_all)",
        "`git add --all`",
        "I think Redis is slow",
    ],
)
def test_what_may_be_said(text):
    """Own ordinary words pass, and so do names and numbers as the source has them."""
    assert strange(text, SOURCE) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it costs 5 times", ["5"]),
        ("it costs 4 times", ["4"]),  # a part of 4.9
        ("it costs 9 times", ["9"]),
        ("12 rows", ["12"]),  # a part of 312
        ("312ms", ["312ms"]),
        ("v1.2", ["v1.2"]),
        ("500 bytes", ["500"]),
        ("seven rows", ["seven"]),
        ("it is Memcached that is slow", ["Memcached"]),
        ("Memcached is slow", ["Memcached"]),  # also where a sentence begins
        ("slow. Memcached was", ["Memcached"]),
        ("the parser of `src/part2.py`", ["`src/part2.py`"]),
        ("see src/part2.py and docs/x", ["src/part2.py", "docs/x"]),
        ("writeFile and write_all", ["writeFile", "write_all"]),
        ("run it with --force", ["--force"]),
        ("see https://evil.example/x", ["https://evil.example/x"]),
        ("mail bob@example.org", ["bob@example.org"]),
        ("issue #7", ["#7"]),
        ("the API", ["API"]),
        ("`all rows`", ["`all rows`"]),
        ("REDIS and redis and NATS", ["NATS"]),
        ("the parser is not slow", ["not"]),
        ("the parser isn't slow", ["n't"]),
    ],
)
def test_what_may_not(text, found):
    """A name, a number, a path, an id, code or a denial that the source does not have is found."""
    assert strange(text, SOURCE) == found


def test_numbers_in_words():
    """A number in words passes where the source has it as digits."""
    assert strange("seven rows", "7 rows") == []
    assert strange("Seven rows", "17 rows") == ["Seven"]


def test_scripts_without_capitals():
    """Where no name can be told by its form, pairs of letters must stand in the source."""
    assert strange("锁很快", "我们的锁很快，因为") == []
    assert strange("锁很慢", "我们的锁很快，因为") == ["锁很慢"]
    assert strange("القفل سريع", "القفل سريع جدا") == []
    assert strange("القفل بطيء", "القفل سريع جدا") == ["بطيء"]


def test_a_denial_may_take_the_place_of_another():
    """A denial passes where the source denies, fails, lacks or avoids something."""
    assert strange("it did not work", "it failed") == []
    assert strange("never do that", "avoid that") == []
    assert strange("it does not work", "it works") == ["not"]


def test_a_denial_may_begin_a_sentence():
    """A denial with a capital is judged as one without, for it names nothing."""
    assert strange("Never share it", "do not share it") == []
    assert strange("Nobody shares it", "they do not share it") == []
    assert strange("Never share it", "they share it") == ["Never"]


@pytest.mark.parametrize(
    ("affirmed", "denied"),
    [
        ("der Lauf wird wiederholt", "der Lauf wird nicht wiederholt"),
        ("on arrondit les prix", "on arrondit pas les prix"),
        ("usar pip con clave", "usar pip sin clave"),
        ("arrotondare i prezzi", "mai arrotondare i prezzi"),
        ("arredondar com chave", "arredondar sem chave"),
        ("prijzen afronden", "prijzen niet afronden"),
        ("цены можно округлять", "цены нельзя округлять"),
        ("要共享密钥", "不要共享密钥"),
        ("鍵を共有する", "鍵を共有しない"),
        ("키를 공유한다", "키를 공유하지 않는다"),
    ],
)
def test_a_denial_counts_in_any_language(affirmed, denied):
    """What says no in another language than English needs a source that says no in any."""
    assert strange(denied.casefold(), affirmed) != []
    assert strange(denied.casefold(), f"{denied.casefold()} {affirmed}") == []
    assert denies(denied)
    assert not denies(affirmed)
    assert strange("never share it", denied) == []


@pytest.mark.parametrize(
    ("affirmed", "denied"),
    [
        ("Push to main", "Never push to main"),
        ("der Lauf wird wiederholt", "der Lauf wird nicht wiederholt"),
        ("цены можно округлять", "цены нельзя округлять"),
        ("要共享密钥", "不要共享密钥"),
    ],
)
def test_a_sentence_without_its_denial_is_named(affirmed, denied):
    """What says a sentence without its denial is found, unless the source says that, too."""
    assert lost_denials(affirmed, denied) == [denied]
    assert lost_denials(denied, denied) == lost_denials(affirmed, f"{denied}\n{affirmed}") == []


def test_only_what_says_nearly_all_of_a_denial_must_deny():
    """A sentence may leave out another sentence or most of one that denies, but not the denial alone."""
    source = "The importer read 434 rows and did not lose any, although the queue was restarted. It waited for no lock."
    assert lost_denials("The importer read 434 rows and lost all, although the queue was restarted.", source) != []
    assert lost_denials("The queue was restarted. 434 rows were read.", source) == []


@pytest.mark.parametrize(
    "text",
    [
        "am 3. Mai 2026",
        "Open Sans ist die Schrift",
        "er läuft noch",
        "不同的版本",
        "无线网络",
        "特别快",
        "差不多",
        "sin(x)",
    ],
)
def test_words_that_look_like_a_denial_are_none(text):
    """A month, a font, a compound of another meaning and a function of mathematics deny nothing."""
    assert not form("denial.words").search(text)


def test_a_figure_denies_only_where_it_is_nothing():
    """The last figure of a version or a time is no nought that denies."""
    assert strange("it does not work", "it works since v4.0") == ["not"]
    assert strange("it does not work", "it works at 10:0 and 0.5") == ["not"]
    assert strange("there are no errors", "errors: 0, all done") == []


def test_ordinary_words_come_from_all_of_the_input():
    """A sentence's first word may come from the rest of the input, a name inside a sentence may not."""
    assert strange("Locks are slow", "they are slow", "many locks") == []
    assert strange("they are Locks", "they are slow", "many locks") == ["Locks"]


@given(st.text(alphabet=st.sampled_from("ab Z9._-/`'é锁。,!\n#@")))
def test_a_text_is_never_strange_to_itself(text):
    """Whatever stands in the source, word for word, passes."""
    assert strange(text, text) == []


def test_time_is_bounded():
    """A long text of hard tokens is judged in a time that a person does not notice."""
    text = " ".join(f"a{number}/b-{number}._" for number in range(2_000))
    assert len(strange(text, "x" * 20_000)) == 2_000
