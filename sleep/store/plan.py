"""A step as a value: what to write and what to say in the commit. Pure.

Owns the plan and the commit message made of it. Refuses to write anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SUBJECT_LIMIT = 72
_UNSAYABLE = re.compile("[\0\ud800-\udfff]")


class Plan(NamedTuple):
    """One step, decided and not yet applied.

    `writes` maps a path (relative to the memory root, `/` separators) to its new text, or to None to delete it. Text is
    decoded with `surrogateescape`, so any bytes survive. `prefix` is `sleep`, `journal` or `wake`.
    """

    step: str
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    writes: Mapping[str, str | None]
    prefix: str = "sleep"


def message(plan: Plan) -> str:
    """Return the commit message: subject, body, trailers, a final newline.

    A message is UTF-8 without NUL, or git would change or refuse it: any other byte becomes U+FFFD.
    """
    subject = " ".join(f"{plan.prefix}: {plan.subject}".split())
    if len(subject) > SUBJECT_LIMIT:
        subject = subject[: SUBJECT_LIMIT - 1].rsplit(" ", 1)[0] + "…"
    parts = [subject]
    if plan.body.strip():
        parts.append(plan.body.strip())
    trailers = [f"{key}: {' '.join(value.split())}" for key, value in plan.trailers]
    if trailers:
        parts.append("\n".join(trailers))
    return _UNSAYABLE.sub("\ufffd", "\n\n".join(parts) + "\n")
