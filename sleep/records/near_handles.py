"""What a handle that names nothing may have meant: `T001` is `T-001`, `i1.9` is `i1abc.9`, `D-015` is near `D-014`.

Owns that guess, for every command alike. Refuses to act on it: it is only told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.records.kinds import LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = re.compile(rf"([{LETTERS}])[\W_]?0*([0-9]{{1,6}})", re.IGNORECASE | re.ASCII)  # `T001`, `t 1`, not `T-1a`
_ADDRESS = re.compile(r"i([0-9]{1,7})([a-z]{0,3})[\W_]?0*([0-9]{1,7})", re.IGNORECASE | re.ASCII)  # `i1.9`, `i1abc9`
_WHOLE = re.compile(r"i([0-9]+)([a-z]{3})\.([0-9]+)")
_SHOWN = 3


def meant(handle: str, known: Iterable[str]) -> str:
    """Return ` (would be right: T-001)` with the known handles nearest to one that is none of them; "" for none.

    Nearest is what differs in signs alone, else the number next to it; of an address that of its own instance.
    """
    word = handle.strip()
    if match := _NUMBER.fullmatch(word):
        letter = match[1].upper()
        numbers = {name: int(name[2:]) for name in known if name.startswith(f"{letter}-")}
        return _brackets(numbers, int(match[2]))
    if match := _ADDRESS.fullmatch(word):
        parts = ((name, _WHOLE.fullmatch(name)) for name in known)
        own = {name: part for name, part in parts if part and part[1] == str(int(match[1]))}
        tagged = {name: part for name, part in own.items() if part[2] == match[2].lower()}
        return _brackets({name: int(part[3]) for name, part in (tagged or own).items()}, int(match[3]))
    return ""


def _brackets(numbers: dict[str, int], wanted: int) -> str:
    if not numbers:
        return ""
    least = min(abs(number - wanted) for number in numbers.values())
    near = [name for name, number in numbers.items() if abs(number - wanted) == least][:_SHOWN]
    return f" ({'would be right' if not least else 'the nearest'}: {' or '.join(dict.fromkeys(near))})"
