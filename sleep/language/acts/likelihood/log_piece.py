"""A piece of a document as the model of speech acts sees it: a value, which loads nothing.

Refuses to say what is seen of it: that is `piece_features`'.
"""

from __future__ import annotations

from sleep.tuples import NamedTuple


class LogPiece(NamedTuple):
    """A piece of a document.

    `above` are the headings and labels it stands under, the innermost last, `section` the kind that they give it,
    `kind` what its words say that it is (`note` for nothing), `noticed` whether forms would notice it. `box` is True,
    False or None like `Piece.checked`.
    """

    text: str
    above: tuple[str, ...] = ()
    section: str = ""
    kind: str = "note"
    noticed: bool = False
    in_list: bool = False
    introduces: bool = False
    box: bool | None = None
