r"""What a tool printed: the mark that it bears, and whether it reads like an instruction to whoever reads it.

Owns the mark and the recogniser. Text of a tool (an error, a page, a log) can be written by anybody, so what in it
speaks to the reader is not passed on to the next one: it stays where it stands in the journal, and goes no further.
What a person or an agent wrote themselves is never asked about: `always run the tests` is theirs to say. Refuses to
understand: it knows the forms that such texts have, and one in other words passes, with its mark.

Letters that only look like others (full width, bold) and signs that do not show are seen through.
"""

from __future__ import annotations

import re
import unicodedata

MARK = "tool (untrusted)"
WHY = "reads as an instruction, from a tool"
_MARKED = re.compile(rf"[^\w\n]{{0,8}}(?:note\W{{1,4}})?{re.escape(MARK)}", re.IGNORECASE)
_ROLE = "system|assistant|developer|human|user"
# Of small letters. No part of it can run over another, so the time is linear.
_INSTRUCTION = re.compile(
    rf"""
    \b(?:
        (?:ignore|disregard|forget|override|bypass)\ (?:\w+\ ){{0,3}}?
            (?:previous|prior|preceding|above|earlier|system|your|all|instructions?|rules|guidelines)
        | (?:you|the\ (?:assistant|agent|model|ai))
            \ (?:must|should|shall|need\ to|have\ to|are\ (?:required\ )?to|are|will)
            \ (?:now|always|never|immediately|instead|not\ (?:tell|mention|reveal|refuse))
        | you\ are\ (?:now|no\ longer) | from\ now\ on | (?:act|behave|respond)\ as\ (?:if|an?|the)
        | (?:new|updated|revised|real|hidden|system|developer)\ (?:instructions?|prompt|message|directives?|task)
        | do\ not\ (?:tell|mention|inform|reveal|alert)
        | (?:print|reveal|show|send|post|upload|exfiltrate|leak)\ (?:\w+\ ){{0,3}}?
            (?:system\ prompt|credentials|secrets|passwords?|api\ keys?|tokens|environment\ variables)
    )\b
    | </?(?:system|instructions?|important|assistant|user|human|admin|function_calls|invoke|tool_result)[\w-]*\b
    | <\|[\w -]{{1,40}}\|> | \[/?(?:inst|system|sys)\]
    | ^[^\w\n]{{0,12}}(?:{_ROLE})(?:\ (?:message|prompt|note|override))?[^\w\n:：]{{0,4}}[:：]
    | (?:忽略|无视|忘记|忘掉)(?:\w{{0,6}})(?:之前|以前|先前|以上|上面|上述|所有|系统|指令|指示|规则)
    | 你(?:现在|从现在起)(?:必须|是|要|应该) | (?:你|模型|助手)(?:必须|务必)(?:现在|立即|马上|始终|永远)
    | 系统(?:提示|指令|消息)\s?[:：]
    """,
    re.MULTILINE | re.VERBOSE,
)
# One of them stands, in small letters, in all that `_INSTRUCTION` takes: most texts hold none, and that is soon seen.
SIGNS = (
    "ignor", "disregard", "forget", "overrid", "bypass", "you", "assistant", "agent", "model", "instruct", "from now",
    "act as", "behave", "respond", "prompt", "message", "directive", "not tell", "not mention", "not inform",
    "not reveal", "not alert", "send", "post", "upload", "leak", "show", "reveal", "print", "<", "[", "system", "human",
    "user", "admin", "developer", "task",
)  # fmt: skip
_CHINESE = ("忽略", "无视", "忘记", "忘掉", "你", "模型", "助手", "系统")
_DOTS = str.maketrans("İı", "ii")  # letters that a pattern takes for others whatever their case
_BEGINS = re.compile(rf"{re.escape(MARK)}:?")  # what stands behind the mark begins a line
_SPACE = re.compile(r"[^\S\n]+")
_FRAME = re.compile(r"\s+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")


def is_marked(text: str) -> bool:
    """Return whether a text bears the mark of what a tool printed, at its beginning."""
    return bool(_MARKED.match(text))


def is_instruction(text: str) -> bool:
    """Return whether a text reads like an instruction to its reader; asked only of what a tool printed."""
    plain = _BEGINS.sub("\n", _shown(text))
    is_ascii = plain.isascii()
    low = (plain if is_ascii else plain.translate(_DOTS)).lower()
    line = _FRAME.sub(" ", low) if "\n" in low else low
    if not any(sign in line for sign in (SIGNS if is_ascii else (*SIGNS, *_CHINESE))):
        return False
    return bool(_INSTRUCTION.search(low) or (line != low and _INSTRUCTION.search(line)))


def _shown(text: str) -> str:
    """Return a text as it looks: letters in their plain form, one space between words, nothing that does not show."""
    if text.isascii():
        return _SPACE.sub(" ", _CONTROLS.sub("", text))
    text = unicodedata.normalize("NFKC", text)
    seen = (letter for letter in text if letter in "\n\t" or unicodedata.category(letter) not in ("Cf", "Cc", "Mn"))
    return _SPACE.sub(" ", "".join(seen))
