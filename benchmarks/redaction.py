"""How fast `find` reads a text, beside one pass for one literal and beside detect-secrets, in the same run.

`python benchmarks/redaction.py`; with SLEEP_SHARED set, real transcripts are read too. No rates are promised for the
secret-dense text: there the judgement of values costs, and it is as much as anyone will have.
"""

import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "text")]

import secrets_corpus as corpus  # noqa: E402

from sleep.redaction.secret_scan import find  # noqa: E402

SIZE = 4_000_000
PEER_SIZE = 60_000  # detect-secrets is read on this much
WORDS = [
    "the",
    "session",
    "was",
    "moved",
    "behind",
    "a",
    "gate",
    "because",
    "two",
    "writers",
    "lost",
    "a",
    "record",
    "and",
    "nobody",
    "saw",
    "it",
    "until",
    "morning",
    "when",
    "consolidation",
    "ran",
    "again",
    "with",
    "the",
    "old",
    "budget",
    "so",
    "we",
    "kept",
    "the",
    "decision",
    "and",
    "noted",
    "the",
    "reason",
    "for",
    "the",
    "next",
    "reader",
]


def prose(rng: random.Random) -> str:
    """Return sentences without secrets."""
    lines = (" ".join(rng.choices(WORDS, k=14)).capitalize() + "." for _ in range(SIZE // 70))
    return "\n".join(lines)[:SIZE]


def code(_: random.Random) -> str:
    """Return this project's and the standard library's source code."""
    sources = [*sorted((ROOT / "sleep").rglob("*.py")), *sorted(Path(os.__file__).parent.glob("*.py"))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    return (text * (SIZE // len(text) + 1))[:SIZE]


def transcript(rng: random.Random) -> str:
    """Return JSON lines like a coding agent's: ids, usage counts, escaped code."""
    source = code(rng)
    lines = []
    for at in range(0, SIZE, 1500):
        uuid = "-".join(corpus.take(rng, corpus.HEX, size) for size in (8, 4, 4, 4, 12))
        usage = {
            "input_tokens": rng.randrange(9999),
            "cache_read_input_tokens": rng.randrange(99999),
            "output_tokens": 7,
        }
        content = [
            {"type": "tool_result", "tool_use_id": "toolu_01" + corpus.take(rng, corpus.ALNUM, 22)},
            source[at : at + 900],
        ]
        lines.append(json.dumps({"uuid": uuid, "message": {"content": content, "usage": usage}, "sessionId": uuid}))
    return "\n".join(lines)


def real(_: random.Random) -> str:
    """Return real transcripts, or nothing."""
    shared = os.environ.get("SLEEP_SHARED")
    if not shared:
        return ""
    files = sorted(Path(shared, "data", "transcripts").glob("*.jsonl"))
    return "\n".join(path.read_text(encoding="utf-8", errors="surrogateescape") for path in files)[: 4 * SIZE]


def dense(rng: random.Random) -> str:
    """Return text of which each line or two has a secret."""
    return "\n".join(case.text for case in corpus.secrets(rng.randrange(99), rounds=4))


def rate(run: Callable[[str], object], text: str, rounds: int = 5) -> float:
    """Return the best of `rounds` as megabytes (of UTF-8) a second of processor time."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        run(text)
        best = min(best, time.process_time() - start)
    return len(text.encode("utf-8", "surrogateescape")) / 1e6 / best


def peer() -> Callable[[str], object]:
    """Return detect-secrets' plugins as a function of a text, without its keyword and entropy plugins."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class  # noqa: PLC0415

    left_out = {"Secret Keyword", "Base64 High Entropy String", "Hex High Entropy String", "Public IP (ipv4)"}
    plugins = [make() for kind, make in get_mapping_from_secret_type_to_class().items() if kind not in left_out]

    def scan(text: str) -> Iterator[str]:
        return (secret for line in text.splitlines() for plugin in plugins for secret in plugin.analyze_string(line))

    return lambda text: list(scan(text))


def main() -> None:
    """Print the table."""
    theirs = peer()
    literal = re.compile("password")
    head = ("floor: re", "floor: count", "find", "detect-secrets", "findings")
    print(f"{'text':12} {'MB':>5} {head[0]:>10} {head[1]:>13} {head[2]:>8} {head[3]:>15} {head[4]:>9}")
    for make in (prose, code, transcript, real, dense):
        text = make(random.Random(7))
        if not text:
            continue
        rates = (
            rate(literal.findall, text),
            rate(lambda text: text.count("password"), text),
            rate(find, text, 9),
            rate(theirs, text[:PEER_SIZE], 1),
        )
        cells = f"{rates[0]:10.0f} {rates[1]:13.0f} {rates[2]:8.1f} {rates[3]:15.2f}"
        print(f"{make.__name__:12} {len(text) / 1e6:5.1f} {cells} {len(find(text)):9}")
    print("MB of UTF-8 a second of processor time, best of several.")


if __name__ == "__main__":
    main()
