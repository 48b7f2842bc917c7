"""Histories of all four shapes, made by hypothesis; and the strict promises that every result is held to."""

from __future__ import annotations

import json

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "we will go with redis because",
        "never deploy on friday",
        "should we keep it?",
        "TODO: backfill",
        "error: it broke",
        "fine",
        "go on",
        "pin: the port is 4711",
        "- - x",
        "[shell] y",
        "## Decisions:",
        "Originals: sha256 0",
        "src/app_7781.py",
        "必须先问我",
        "emoji 😀 �",
        "\r\n",
        "x\u2028y",
        "[Session context consolidated]",
        "First request (word for word, 3 characters):",
        "```\ncode\n```",
        "   ",
    ]
)
TEXT = st.one_of(
    st.lists(WORDS, min_size=1, max_size=5).map("\n".join), st.text(min_size=1, max_size=60), st.just("word " * 300)
)
SAID = TEXT.filter(str.strip)


@st.composite
def turns(draw, most=9):
    """Return turns: (what a person says, [(what the agent says, [results])])."""
    made = []
    for _ in range(draw(st.integers(1, most))):
        steps = draw(st.lists(st.tuples(SAID, st.lists(TEXT, max_size=3)), min_size=1, max_size=3))
        made.append((draw(SAID), steps))
    return made


def ids(draw_reuse):
    """Yield ids of calls; some providers' clients give the same ones again in each turn."""
    number = 0
    while True:
        yield f"call_{number % 3 if draw_reuse else number}"
        number += 1


def openai(made, *, reuse=False):
    """Return turns as OpenAI's chat messages."""
    out, name = [{"role": "system", "content": "Be brief."}], ids(reuse)
    for asked, steps in made:
        out.append({"role": "user", "content": asked})
        for said, results in steps:
            calls = [next(name) for _ in results]
            message = {"role": "assistant", "content": said}
            if calls:
                message["tool_calls"] = [
                    {"id": one, "type": "function", "function": {"name": "shell", "arguments": "{}"}} for one in calls
                ]
            out.append(message)
            out += [
                {"role": "tool", "tool_call_id": one, "content": text} for one, text in zip(calls, results, strict=True)
            ]
    return out


def responses(made, *, reuse=False):
    """Return turns as items of OpenAI's Responses, reasoning before calls."""
    out, name = [], ids(False)
    for asked, steps in made:
        out.append({"type": "message", "role": "user", "content": [{"type": "input_text", "text": asked}]})
        for said, results in steps:
            calls = [next(name) for _ in results]
            out.append(
                {"type": "reasoning", "id": f"rs{len(out)}", "summary": [{"type": "summary_text", "text": "so"}]}
            )
            out.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]})
            out += [{"type": "function_call", "call_id": one, "name": "shell", "arguments": "{}"} for one in calls]
            out += [
                {"type": "function_call_output", "call_id": one, "output": text}
                for one, text in zip(calls, results, strict=True)
            ]
    return out


def anthropic(made, *, reuse=False):
    """Return turns as Anthropic's messages: results come in the user's next message, alone or with words."""
    out, name, late = [], ids(reuse), []
    for asked, steps in made:
        if late:
            out.append({"role": "user", "content": [*late, {"type": "text", "text": asked}]})
        else:
            out.append({"role": "user", "content": asked})
        late = []
        for index, (said, results) in enumerate(steps):
            calls = [next(name) for _ in results]
            blocks = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": said}]
            blocks += [{"type": "tool_use", "id": one, "name": "shell", "input": {}} for one in calls]
            out.append({"role": "assistant", "content": blocks})
            late = [
                {
                    "type": "tool_result",
                    "tool_use_id": one,
                    "content": [{"type": "text", "text": text}] if index else text,
                }
                for one, text in zip(calls, results, strict=True)
            ]
            if index + 1 < len(steps):
                out.append({"role": "user", "content": late or [{"type": "text", "text": "Go on."}]})
                late = []
    if late:
        out.append({"role": "user", "content": late})
    return out


def gemini(made, *, reuse=False):
    """Return turns as Gemini's contents, calls answered by name where `reuse`."""
    out, name = [], ids(False)
    for asked, steps in made:
        own = [{"text": asked}]
        if out and out[-1]["role"] == "user":
            out[-1]["parts"] += own
        else:
            out.append({"role": "user", "parts": own})
        for said, results in steps:
            calls = [next(name) for _ in results]
            parts = [{"text": said}]
            named = [{} if reuse else {"id": one} for one in calls]
            parts += [{"functionCall": {"name": f"f{index}", "args": {}, **one}} for index, one in enumerate(named)]
            if out[-1]["role"] == "model":
                out.append({"role": "user", "parts": [{"text": "Go on."}]})
            out.append({"role": "model", "parts": parts})
            answers = [
                {"functionResponse": {"name": f"f{index}", "response": {"output": text}, **one}}
                for index, (one, text) in enumerate(zip(named, results, strict=True))
            ]
            if answers:
                out.append({"role": "user", "parts": answers})
    return out


SHAPES = {"openai": openai, "responses": responses, "anthropic": anthropic, "gemini": gemini}


@st.composite
def histories(draw, most=9):
    """Return (shape, messages) of a valid history, cut off anywhere after a person's or a tool's word."""
    shape = draw(st.sampled_from(sorted(SHAPES)))
    return shape, SHAPES[shape](draw(turns(most)), reuse=draw(st.booleans()))


def told(messages):
    """Return all that messages say, as text."""
    return json.dumps(messages, ensure_ascii=False)
