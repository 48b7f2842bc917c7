"""Where the fragments of a tier belong."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleep.records import topic_plan
from sleep.records.topic import GENERAL
from sleep.records.topic_choice import Piece, Survey
from sleep.records.topic_plan import Fold, Place

RELAY = "The relay of node {0} keeps its buffer"
LEDGER = "Debt goes into the ledger of session {0}"
WORDS = ["relay", "ledger", "snapshot", "buffer", "index", "parser", "cache", "gateway"]


def plan(places, *more):
    """Plan places of which those that come stand behind those that were there."""
    standing = [place for place in places if not place.is_new]
    arriving = [place for place in places if place.is_new]
    return topic_plan.plan([place.home for place in standing], arriving, lambda at: standing[at].piece, *more)


def _new(texts, named="", home=""):
    return [Place(Piece(text, (), f"i{at}abc"), home, named, is_new=True) for at, text in enumerate(texts)]


def _standing(name, texts):
    return [Place(Piece(text, (), f"i{at}abc"), name) for at, text in enumerate(texts)]


def _many(pattern, count):
    return [pattern.format(f"number {at}") for at in range(count)]


PLACES = st.lists(
    st.builds(
        Place,
        st.builds(
            Piece,
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(", the ".join).map("the {} is up".format),
            st.just(()),
            st.sampled_from(["i1abc", "i2abc", "i3abc"]),
        ),
        st.sampled_from([GENERAL, "relay", "gateway", "some-old-name"]),
        st.just(""),
        st.booleans(),
    ),
    max_size=90,
).map(lambda places: sorted(places, key=lambda place: place.is_new))


@settings(max_examples=30)
@given(PLACES)
def test_bounds(places):
    """Topics are at most one for eight fragments, and no more than a fifth of fifty has none, where any has one."""
    homes = Counter(plan(places).homes)
    assert len(homes) <= max(1, len(places) // 8) or max(homes.values(), default=0) < 3
    if len(places) >= 50 and len(homes) > 1:
        assert homes[GENERAL] <= len(places) / 5


@settings(max_examples=30)
@given(PLACES)
def test_what_has_a_topic_keeps_it(places):
    """A fragment leaves a topic only where the topic folds, and then all of it goes to one."""
    decided = plan(places)
    moved = {
        (place.home, home)
        for place, home in zip(places, decided.homes, strict=True)
        if not place.is_new and place.home not in (home, GENERAL)
    }
    into = dict(decided.folds)
    assert all(name in into for name, _ in moved)
    assert plan(places) == decided


def test_a_topic_is_what_several_share():
    """Eight fragments that share a noun phrase open a topic of its name; it is no verb and no function word."""
    homes = plan(_new([*_many(RELAY, 12), *_many(LEDGER, 12), *_many("Something else was said: {0}", 6)])).homes
    names = set(homes) - {GENERAL}
    assert len(names) == 2
    assert all(name in ("relay", "node", "buffer", "ledger", "debt", "session") for name in names)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("{0}: Wir haben die Datenbank umgezogen", "datenbank"),
        ("{0}: Die Datenbanken sind langsam, die Datenbank auch", "datenbank"),
        ("{0}：数据库迁移很慢", "数据库迁移"),
        ("{0}: we keep the load balancer tier", "load-balancer-tier"),
    ],
)
def test_languages(pattern, name):
    """Topics are noun phrases in German and Chinese too, and no phrase is cut that always stands whole."""
    homes = plan(_new([*_many(pattern, 10), *[f"zz{at}" for at in range(15)]])).homes
    assert set(homes) == {GENERAL, name}


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Load balancer", "load-balancer"),
        ("Die Speicherverwaltung", "speicherverwaltung"),
        ("记忆系统", "记忆系统"),
    ],
)
def test_headings_count(heading, name):
    """What stands in the headings above a fragment names it too, in German and Chinese as well."""
    places = [Place(Piece(f"zz{at}", (heading,), f"i{at}abc"), is_new=True) for at in range(10)]
    assert plan([*places, *_new([f"yy{at}" for at in range(20)])]).homes[0] == name


def test_a_small_topic_folds_into_what_it_shares_words_with():
    """A topic that became small folds, into the one whose name has a word of its own before all others."""
    places = [
        *_standing("relay", _many(RELAY, 10)),
        *_standing("ledger", _many(LEDGER, 10)),
        *_standing("relay-buffer", ["Debt goes into a ledger"]),
    ]
    decided = plan(places)
    assert decided.folds == (Fold("relay-buffer", "relay"),)
    assert decided.homes[-1] == "relay"


def test_a_topic_of_two_stays():
    """What eight opened stays a topic while two have it: its fragments do not wander for one that went."""
    rest = _standing(GENERAL, [f"Day {number} was long" for number in range(30)])
    decided = plan([*_standing("gateway", _many("The gateway of {0} is up", 2)), *rest])
    assert decided.homes[:2] == ("gateway", "gateway")
    assert plan([*_standing("gateway", _many("The gateway of {0} is up", 1)), *rest]).homes[0] == GENERAL


def test_a_small_topic_that_is_like_none_has_no_topic():
    """What shares a word of passing with a topic, and is little like it, is not filed under that topic's name."""
    places = [
        *_standing("relay", _many(RELAY, 12)),
        *_standing("ledger", _many(LEDGER, 12)),
        *_standing(
            "redis", ["Elasticache runs Redis beside a session of the cloud, with fewer manifests of Puppet to keep"]
        ),
    ]
    decided = plan(places)
    assert decided.folds == (Fold("redis", GENERAL),)
    assert decided.homes[-1] == GENERAL


def test_what_a_person_named_is_there():
    """A name that an entry gives opens a topic in a small tier, and one that is held never folds."""
    assert plan(_new(["x"], named="auth")).homes == ("auth",)
    places = [*_standing("mine", ["x"]), *_standing(GENERAL, ["y"] * 20)]
    assert plan(places, lambda name: name == "mine").homes[0] == "mine"
    assert plan(places).homes[0] == GENERAL


def test_spellings_are_one_topic():
    """A name in the plural, or that an entry gives, is the topic that exists in the singular."""
    places = [*_standing("token-budget", ["the token budget"] * 8), *_new(["x"], named="token-budgets")]
    assert plan(places).homes[-1] == "token-budget"


def test_a_topic_has_one_name_in_both_tiers():
    """A topic that opens has the name that it has in the other tier, where both are of the same words."""
    places = _new([*_many("The gateways of {0} are up", 9), *(f"Day {number} was long" for number in range(21))])
    assert "gateways" in plan(places).homes
    homes = plan(places, lambda _: False, {}, "", ["gateway"]).homes
    assert "gateway" in homes
    assert "gateways" not in homes


def test_what_is_left_over_goes_where_its_words_stand():
    """A fragment without a topic's name goes to the topic whose fragments speak of what stands beside its own words."""
    places = [
        *_standing("relay", [f"The relay keeps a buffer for {at}" for at in range(12)]),
        *_standing("ledger", [f"The ledger keeps a balance for {at}" for at in range(12)]),
        *_standing("gateway", [*_many("The gateway of {0} is up", 8), *["a socket beside the buffer"] * 2]),
        *_standing(GENERAL, [f"zz{at}" for at in range(24)]),
        *_new(["the socket is slow"]),
    ]
    homes = plan(places).homes
    assert homes[-1] == "relay"


def test_the_tier_before_is_followed():
    """What comes from a topic of the tier before goes to the topic of that name, where enough come or it is there."""
    assert set(plan(_new([f"zz{at}" for at in range(30)], home="relay")).homes) == {"relay"}
    places = [*_standing("relay", _many(RELAY, 10)), *_new(["zz"], home="relay")]
    assert plan(places).homes[-1] == "relay"


def test_surveys_tell_nouns_by_all_that_was_read():
    """A word that is as often a verb is none."""
    survey = Survey([Piece("we hook it"), Piece("to hook"), Piece("the hook is red")])
    assert not survey.is_noun("hook")
    assert Survey([Piece("the hook is red")]).is_noun("hook")


def test_a_large_tier_is_read_in_part_and_all_of_it_keeps_its_topics():
    """Of a topic with hundreds of fragments some are read; what comes finds it, and the others stay where they are."""
    places = [
        *_standing("relay", _many(RELAY, 300)),
        *_standing("ledger", _many(LEDGER, 300)),
        *_new([RELAY.format("new"), LEDGER.format("new")]),
    ]
    decided = plan(places)
    assert decided.homes == ("relay",) * 300 + ("ledger",) * 300 + ("relay", "ledger")
    assert decided.folds == ()


def test_a_small_topic_of_a_large_tier_folds_whole():
    """A topic of one fragment among hundreds folds, and its fragment goes where the page of folds says."""
    places = [
        *_standing("relay", _many(RELAY, 300)),
        *_standing("ledger", _many(LEDGER, 300)),
        *_standing("courier", ["The relay of node z keeps its buffer"]),
    ]
    decided = plan(places)
    assert decided.folds == (Fold("courier", "relay"),)
    assert decided.homes[-1] == "relay"


def test_a_phrase_is_judged_once(monkeypatch):
    """Whether a phrase may name a topic is asked once of a tier, however many of its pieces have it."""
    asked = Counter()
    judge = Survey._may_name
    monkeypatch.setattr(Survey, "_may_name", lambda self, phrase: asked.update([phrase]) or judge(self, phrase))
    survey = Survey([Piece(text) for text in _many(RELAY, 20)])
    assert all(("buffer",) in weights for weights in survey.weights)
    assert asked[("buffer",)] == 1


@pytest.mark.parametrize(
    ("pattern", "whole"),
    [
        ("The pattern of {0} holds", ""),
        ("The patterns of {0} hold", ""),
        ("描述了{0}", ""),
        ("The harbour of {0} is calm", "Harbour"),
        ("The tidy-boat of {0} is calm", "tidy-boat"),
        ("数据库的{0}很好", "数据库"),
        ("Sie sahen die Systeme von {0}", ""),
        ("Sie sahen die Boote {0}, und kein Boot fuhr", "Boot"),
    ],
)
def test_what_tells_nothing_apart_names_no_topic(pattern, whole):
    """A vague word alone, or the name of the whole project, opens no topic, however many share it."""
    texts = _many(pattern, 9) + [f"Day {number} was long" for number in range(21)]
    assert set(plan(_new(texts), lambda _: False, {}, whole).homes) == {GENERAL}


def test_a_vague_word_names_a_topic_with_another():
    """A vague word is part of a name: `retry pattern` says which."""
    texts = _many("The retry pattern of {0} holds", 9) + [f"Day {number} was long" for number in range(21)]
    assert "retry-pattern" in plan(_new(texts), lambda _: False, {}, "Harbour").homes


def test_a_run_of_latin_in_a_wide_name_names_a_topic():
    """Of the name of all only its own script's runs are no topics: words beside them are words."""
    texts = _many("The relay of {0} holds", 9) + [f"Day {number} was long" for number in range(21)]
    assert "relay" in plan(_new(texts), lambda _: False, {}, "relay数据库").homes
