"""Sentences that lean on the one before: without it they say half a thought.

Owns the words by which a sentence takes something up that it does not name: pronouns and demonstratives at its
beginning, words that conclude from it, and a pronoun at its end (`Our tasks keep it.`), in the languages that journals
are in. `And`, `but` and `also` open sentences that stand alone: those do not lean. Refuses to look for what is meant:
that is the sentence before, whatever it is. Pure.
"""

from __future__ import annotations

import re

from sleep.language import lexicon
from sleep.language.tokenizer import by_script

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# German articles stand for something only before a verb.
_GERMAN = re.compile(r"(?:Das|Sie|Die|Der) (?:ist|sind|war|waren|wird|werden|hat|haben|kann|können|muss|geht|bricht)\b")
_HANGUL = re.compile("[\uac00-\ud7af]")
_EXPLETIVE = 3  # words by which a pronoun is known that stands for nothing: `It seems that`
_SHORT = 8  # words of a sentence that a pronoun at its end makes lean


def leans(sentence: str) -> bool:
    """Return whether a sentence cannot be understood without the one before it."""
    bare = sentence.lstrip(" \t*_`\"'“”‘’(（「『-–—·…")
    word = _WORD.match(bare)
    if word is None:
        return False
    first = word[0].casefold().replace("’", "'")
    # `that` and `this` take something up before a noun, too: `that lock` names a lock that was spoken of.
    begins, opens = by_script(lexicon.all_words("leans"))
    if _HANGUL.match(first):  # particles are written to the word
        return first in opens
    if "-".join(map(str.casefold, _WORD.findall(bare)[:_EXPLETIVE])) in lexicon.all_words("leans.not"):
        return False
    if first in begins or bare.startswith(opens) or _GERMAN.match(bare):
        return True
    words = _WORD.findall(bare)
    return len(words) <= _SHORT and words[-1].casefold() in lexicon.all_words("leans.end")
