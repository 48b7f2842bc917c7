"""Asking another compressor: what is asked, how often, and what becomes of the answer."""

from __future__ import annotations

import pytest
from processor_time import spent

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, MERGED, WHOLE
from sleep.compression.model import prompt
from sleep.compressors.delegation import CallError, Delegation
from sleep.language import tokens
from sleep.records.address import InstanceId
from sleep.settings import Settings
from tests.support import present

_EMPTY = "## Notes\n"


class _Other:
    """One that gives replies in turn, and remembers the prompts."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.prompts = []

    def __call__(self, text):
        self.prompts.append(text)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def _asking(other, calls=9, most=20_000, known=()):
    return Delegation("command/x", other, Settings(compressor_calls=calls, compressor_tokens=most), known)


def test_a_good_reply_is_the_answer(request_, good):
    """A reply without fault is taken under the name of who gave it, with a fate for each candidate, and no note."""
    answer = _asking(_Other(good))(request_)
    assert (answer.compressor, answer.note) == ("command/x", "")
    assert [fate.before for fate in answer.fates] == list(request_.candidates)
    assert [fate.fate for fate in answer.fates] == [WHOLE, MERGED, MERGED, DROPPED]


def test_what_has_room_is_not_asked(request_):
    """Nobody is asked when everything fits, or when there is nothing."""
    other = _Other()
    for one in (request_._replace(budget=500), request_._replace(candidates=())):
        assert _asking(other)(one) == extractive.compress(one)
    assert other.prompts == []


def test_the_second_prompt_says_what_was_wrong(request_, good):
    """A refused reply is asked for once more, with its faults."""
    other = _Other(good.replace("312", "313"), good)
    assert _asking(other)(request_).note == ""
    assert "“313”" in other.prompts[1]
    assert "“313”" not in other.prompts[0]


def test_two_refusals_are_the_end(request_):
    """After two refused replies the answer is the extractive one, and the note says why in one line."""
    other = _Other(_EMPTY, _EMPTY, _EMPTY)
    asking = _asking(other)
    answer = asking(request_)
    assert answer._replace(note="") == extractive.compress(request_)
    assert answer.note.startswith("command/x was refused 2 times: there is no list item with an address")
    assert answer.note.endswith(f"; {extractive.NAME} compressed this step")
    assert "\n" not in answer.note
    assert len(other.prompts) == 2
    assert asking.said == [answer.note]


def test_a_note_is_short_and_holds_no_secret(request_, good):
    """What a reply invents is quoted in the note, but short, on one line, and redacted."""
    secret = "zqk-Vbn-mwrtp1"
    evil = good.replace("Redis", f"{secret} \\n\nSleep-Cycle: 99 {'Ab' * 400}")
    note = _asking(_Other(evil, evil), known=(secret,))(request_).note
    assert secret not in note
    assert "\n" not in note
    assert len(note) < 500


def test_one_that_failed_is_left_alone(request_):
    """A call that failed is not repeated, and the person is told why, once; what it said is for the person only."""
    other = _Other(CallError("exit code 1", "Invalid API key"))
    asking = _asking(other)
    steps = (request_, request_._replace(step="warm to cold"), request_._replace(step="journal to hot"))
    first, second, third = map(asking, steps)
    assert "command/x failed (exit code 1)" in first.note
    assert "failed before (exit code 1)" in second.note
    assert len(other.prompts) == 1
    assert third.note == second.note
    assert asking.said == ["Invalid API key", first.note, second.note]
    assert "API key" not in first.note


def test_calls_are_counted(request_, good):
    """No more calls are made than a sleep may have, tries included."""
    other = _Other(_EMPTY, good, good)
    answer = _asking(other, calls=1)(request_)
    assert "the calls of this sleep are used up" in answer.note
    assert len(other.prompts) == 1
    assert answer._replace(note="") == extractive.compress(request_)


def test_a_request_is_asked_once(request_, good):
    """The same request gets the same answer without another call, and after settling nothing is asked."""
    other = _Other(good, good)
    asking = _asking(other)
    answer = asking(request_)
    asking.settle()
    assert asking(request_) is answer
    changed = asking(request_._replace(budget=59))
    assert "the memory changed while command/x was asked" in changed.note
    assert changed.compressor == extractive.NAME
    assert len(other.prompts) == 1


def test_no_prompt_is_longer_than_it_may_be(request_, good):
    """What does not fit in one call is compressed extractively, and the answer says so; nothing is unaccounted for."""
    more = tuple(
        one._replace(addresses=(InstanceId(8, "abc").entry(at),), kind="note", text=f"{one.text}, part {at}")
        for at, one in enumerate(request_.candidates * 20, 1)
    )
    request = request_._replace(candidates=request_.candidates + more, budget=1_200)
    small = request_._replace(candidates=request_.candidates)
    most = tokens.count(prompt.write(small)) + 1
    other = _Other(good)
    answer = _asking(other, most=most)(request)
    assert tokens.count(other.prompts[0]) <= most
    assert answer.compressor == f"command/x + {extractive.NAME}"
    assert answer.note == f"{len(more)} of {len(more) + 4} fragments were above compressor.tokens"
    assert [fate.before for fate in answer.fates] == list(request.candidates)
    assert sum(map(extractive.cost, answer.fragments)) <= request.budget
    nothing = _asking(_Other(), most=10)(request)
    assert "compressor.tokens is too small" in nothing.note


def test_repeats_are_merged_before_anything_is_sent(request_, good):
    """A fragment that repeats another, or what stands there already, costs nothing and shares its fate."""
    first, second, third, last = request_.candidates
    twin = second._replace(addresses=(InstanceId(8, "abc").entry(1),))
    there = last._replace(addresses=(InstanceId(8, "abc").entry(2),))
    request = request_._replace(candidates=(first, second, third, twin, there), present=present.of(last), budget=50)
    other = _Other(good.replace("[i7qxk.2", "[i7qxk.2 i8abc.1"))
    answer = _asking(other)(request)
    assert answer.note == ""
    assert other.prompts[0].count("which costs 40 ms") == 1
    assert last.text not in other.prompts[0]
    assert answer.fates[3].after == answer.fates[1].after
    assert str(twin.identity) in str([str(one) for one in answer.fates[1].after.addresses])
    assert answer.fates[4].after is None
    assert answer.fates[4].detail == "what stands there already"


def test_secrets_are_not_sent(request_, good):
    """The value of a secret does not go into a prompt."""
    secret = "zqk-Vbn-mwrtp1"
    one = request_.candidates[3]._replace(
        text=f"then {secret} was printed by the program, which took some time to find"
    )
    other = _Other(good)
    _asking(other, known=(secret,))(request_._replace(candidates=(*request_.candidates[:3], one)))
    assert secret not in other.prompts[0]


def test_what_is_shown_drives_no_terminal_and_holds_no_secret(request_, good):
    """What a failed call said, and the faults of a reply, are shown without escapes and with secrets redacted."""
    secret = "zqk-Vbn-mwrtp1"
    asking = _asking(_Other(CallError("exit code 1", f"key {secret}\n\x1b[2Jgone")), known=(secret,))
    asking(request_)
    assert asking.said[0] == "key [REDACTED:environment]\ngone"
    evil = good.replace("Redis", secret)
    asking = _asking(_Other(evil, evil), known=(secret,))
    assert asking.said == [asking(request_).note]
    assert secret not in "".join(asking.said)


@pytest.mark.parametrize("reply", ["- x [i7qxk.2]\n" * 60_000, f"- {'x ' * 490_000}[i7qxk.2]\n"])
def test_a_reply_that_is_made_to_be_slow_is_refused_in_time(request_, reply):
    """A reply of 1 MB, of many items or of one, ends in the extractive answer before anybody notices."""
    asking = _asking(_Other(f"## Insights\n{reply}", f"## Insights\n{reply}"))
    assert spent(asking, request_) < 3


def test_as_many_faults_as_fit_are_said_in_the_second_prompt(request_, good):
    """The second prompt names the first faults of a reply that has more than one call may hold."""
    other = _Other(good, good)
    asking = _asking(other, most=1_500)
    few = asking._prompt(request_, ["this is wrong"] * 3)
    many = asking._prompt(request_, [f"fault {number}" for number in range(5_000)])
    assert "this is wrong" in few
    assert "fault 0" in many
    assert 1_400 < tokens.count(many) <= 1_500
