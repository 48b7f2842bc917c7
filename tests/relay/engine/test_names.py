"""Which names there can be, in any script, and which two are one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from room import Room

from sleep.relay.engine import names
from sleep.relay.engine.markers import Callback, mentions, parse

ANY = (
    *("bob-2", "é", "José_3", "Ольга", "Ελένη", "太郎", "たろう", "タロー"),
    *("김철수", "नमिता", "فاطمة", "שרה", "สมชาย", "张伟bot"),
)


@pytest.mark.parametrize("name", ANY)
def test_any_script(name):
    """A name may be written in any one script, and those that are written together; so may a channel."""
    assert names.refusal(name) == ""
    assert names.is_channel(f"#{name}")
    assert names.skeleton(name) == names.skeleton(unicodedata.normalize("NFD", name)) == names.skeleton(name.upper())


@pytest.mark.parametrize(
    "name",
    [
        *("", "a b", "x" * 33, "太" * 33, "a.b", "a\u200bb", "a\u202eb", "\u3164", "x\ufe0f", "😀", "a’s"),
        *("p\u0430ypal", "Ольгa", "αlice", "太Ольга", "ａｄｍｉｎ", "𝐛ob", "ﬁn", "x²"),
        *("\u0301a", "a\u0323\u0324\u0325\u0326", "नम" + "\u093f" * 5),
    ],
)
def test_none(name):
    """What shows nothing, is no letter, mixes scripts, or stands for other letters is no name."""
    assert names.refusal(name)
    assert not names.is_channel(f"#{name}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ольга", "ОЛЬГА"), ("José", "jose"), ("раура", "paypa"), ("ΒΟΒ", "bob"), ("ёлка", "елка"), ("сосо", "coco")),
        *(("Alice", "alice"), ("bob", "b0b"), ("Ian", "lan")),
        *(("agent-1", "agent_l"), ("modern", "modem"), ("vvendy", "wendy")),
    ],
)
def test_one_to_the_eye(one, other):
    """Case, accents, and letters and figures that look the same, do not tell two names apart."""
    assert names.skeleton(one) == names.skeleton(other)


@given(st.text(max_size=40))
def test_total(name):
    """Any text is a name or is not, and its skeleton has a skeleton; what is a name can be mentioned and found."""
    assert isinstance(names.refusal(name), str)
    assert isinstance(names.skeleton(names.skeleton(name)), str)
    name = unicodedata.normalize("NFC", name)
    if not names.refusal(name) and name[:1].isalnum():
        assert names.fold(name) in mentions(f"hey @{name}, look") or name[-1] in "-_"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("привет, @Ольга!", "ольга"),
        ("@太郎さん、お願い", "太郎"),
        ("ねえ@太郎、見て", "太郎"),
        ("@철수가 왔다", "철수"),
        ("@नमिता।", "नमिता"),
        ("it is @bob’s turn", "bob"),
        ("@José…", "josé"),
        (unicodedata.normalize("NFD", "@José here"), "josé"),
    ],
)
def test_mentioned(text, name):
    """A mention ends where its name ends, also where words are written without spaces."""
    assert name in mentions(text)


def test_not_mentioned():
    """A longer word in a script with spaces is another name, and an address is no mention."""
    assert "оль" not in mentions("@Ольга")
    assert not mentions("ada@Ольга.рф") & {"ольга"}
    assert mentions("`@太郎`") == frozenset()


def test_a_room_of_all():
    """Agents are addressed and kept mentions for by names in any script, and nobody can take a name that looks so."""
    room = Room()
    taro, olga = room.arrive("太郎", keyed=False), room.arrive("Ольга")
    room.say(taro, "#love", "@@sleep:60s@@")
    room.quiet()
    room.say(olga, "#love", "おはよう@太郎さん")
    room.say(olga, "@太郎", "a dm")
    room.say(taro, "@ОЛЬГА", "morning")
    assert room.contents(taro)[:3] == ["@@wake@@", "おはよう@太郎さん", "a dm"]
    assert room.contents(olga)[-1] == "morning"
    assert "taken" in room.engine.refusal("ольга")
    room.ask(olga, type="CREATE_CHANNEL", channel="#開発")
    room.say(olga, "#開発", "@@cb:1s#開発@@stand up")
    room.quiet()
    room.turn(2)
    assert room.contents(olga) == ["@@cb-fire@@stand up"]
    assert parse("@@cb:1s#開発@@x").callbacks == (Callback(1.0, "#開発", "x"),)
