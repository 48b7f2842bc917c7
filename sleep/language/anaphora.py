"""Sentences that lean on the one before: without it they say half a thought.

Owns the words by which a sentence takes something up that it does not name: pronouns and demonstratives at its
beginning, words that conclude from it, and a pronoun at its end (`Our tasks keep it.`), in the languages that journals
are in. `And`, `but` and `also` open sentences that stand alone: those do not lean. Refuses to look for what is meant:
that is the sentence before, whatever it is. Pure.
"""

from __future__ import annotations

import re

# At the beginning. `that` and `this` also before a noun: `that lock` names a lock that was spoken of.
_ENGLISH = """
    it its it's they they're their them this that these those both neither either he he's she she's his her hers
    him such thus therefore hence otherwise instead consequently or nor because which whereas others same ditto
"""
_OTHERS = """
    es er ihr ihre ihrem ihren ihrer sein seine seinen seiner dies diese dieser dieses diesem diesen beide beides
    deshalb daher darum deswegen dadurch damit dabei dafür dagegen davon dazu darauf danach trotzdem sonst andernfalls
    stattdessen
    il elle ils elles ce c'est cela ça ces cet cette celui-ci leur donc sinon
    ella ello ellos ellas esto eso este esta estos estas ese esa ambos entonces
    ele ela eles elas isso isto esse essa portanto
    он она оно они это этот эта эти оба поэтому иначе его её их
"""
_WIDE = """
    它 他们 她们 它们 他 她 这 那 此 该 其 两者 二者 因此 所以 否则 于是
    これ それ この その こちら そのため だから それで
    이는 이것 그것 그것은 이것은 그래서 따라서
"""
_ENDS = "it them this that these those both so too either neither one es ihn sie das cela ça lo eso isso это их"
_BEGINS = frozenset((_ENGLISH + _OTHERS).split())
_LAST = frozenset(_ENDS.split())
_OPENS = tuple(sorted(_WIDE.split(), key=len, reverse=True))
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# German articles stand for something only before a verb.
_GERMAN = re.compile(r"(?:Das|Sie|Die|Der) (?:ist|sind|war|waren|wird|werden|hat|haben|kann|können|muss|geht|bricht)\b")
_HANGUL = re.compile("[\uac00-\ud7af]")
_SHORT = 8  # words of a sentence that a pronoun at its end makes lean


def leans(sentence: str) -> bool:
    """Return whether a sentence cannot be understood without the one before it."""
    bare = sentence.lstrip(" \t*_`\"'“”‘’(（「『-–—·…")
    found = _WORD.match(bare)
    if found is None:
        return False
    first = found[0].casefold().replace("’", "'")
    if _HANGUL.match(first):  # particles are written to the word
        return first in _OPENS
    if first in _BEGINS or bare.startswith(_OPENS) or _GERMAN.match(bare):
        return True
    words = _WORD.findall(bare)
    return len(words) <= _SHORT and words[-1].casefold() in _LAST
