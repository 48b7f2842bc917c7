"""The labels of `benchmarks/labels/`, laid over the texts that they speak of.

    python benchmarks/labels.py --data SHARED/data --out DIR [--side fit|judge]

The labels hold no text of others, only where it stands: `at` and `why` are characters of a message or a log, which are
read from the data and compared by their digest. Writes `messages.jsonl` and `labels.jsonl` in the form that the scorer
of speech acts reads, and `logs.jsonl` with the quotations.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

LABELS = Path(__file__).parent / "labels"
SIDES = ("fit", "judge")  # projects, split before anybody read them
_TURN = re.compile(
    r"^_\*\*(User|Agent|Assistant)[^\n]*\*\*_\n(.*?)(?=^_\*\*(?:User|Agent|Assistant)|\Z)", re.MULTILINE | re.DOTALL
)
_BLOCK = re.compile(r"^<details>|^---\s*$|^<tool-use|<think>", re.MULTILINE)


def labels(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file of labels, such as `messages` or `de`."""
    return [json.loads(line) for line in (LABELS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def texts(path: Path) -> dict[int, str]:
    """Return the messages of a transcript by their line (by their number, where the file is one value)."""
    reader = {".md": _turns, ".traj": _thoughts}.get(path.suffix, _lines)
    return {line: text.strip() for line, text in reader(path)}


def messages(data: Path, side: str = "") -> list[dict[str, Any]]:
    """Return the labelled messages, of one side or of both: `id`, `role`, `text`, `records` with quotations and more.

    Raises:
        ValueError: the data has another text than the one that was labelled.
    """
    files: dict[str, dict[int, str]] = {}
    rows = []
    for row in labels("messages"):
        if side and row["side"] != side:
            continue
        name = row["file"]
        if name not in files:
            files[name] = texts(data / "transcripts" / name)
        rows.append(row | _quoted(row, files[name].get(row["line"], "")))
    return rows


def logs(data: Path) -> list[dict[str, Any]]:
    """Return the labelled logs: `id`, `file`, `text`, `records` and `not_records` with quotations.

    Raises:
        ValueError: as above.
    """
    return [
        row | _quoted(row, (data / "journals" / row["file"]).read_text(encoding="utf-8", errors="replace"))
        for row in labels("logs")
    ]


def _quoted(row: dict[str, Any], text: str) -> dict[str, Any]:
    if hashlib.sha256(text.encode()).hexdigest()[:12] != row["sha256"]:
        raise ValueError(f"{row['file']}: not the text that was labelled as {row['id']}")
    quoted: dict[str, Any] = {"text": text}
    for name in ("records", "not_records"):
        if name in row:
            quoted[name] = [
                label | {"text": text[slice(*label["at"])], "why": text[slice(*label.get("why", (0, 0)))]}
                for label in row[name]
            ]
    return quoted


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what JSON lines of Claude Code and Codex say, and one JSON value of Gemini CLI."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.name.startswith("entire_gemini"):
        for number, message in enumerate(json.loads(text)["messages"], 1):
            if isinstance(message.get("content"), str):
                yield number, message["content"]
        return
    for number, line in enumerate(text.splitlines(), 1):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        value = value if isinstance(value, dict) else {}
        message = value.get("message") if value.get("type") in ("user", "assistant") else value.get("payload")
        if isinstance(message, dict) and not value.get("isSidechain") and not value.get("isMeta"):
            content = message.get("content")
            blocks = [content] if isinstance(content, str) else _said(content or [])
            if blocks:
                yield number, "\n".join(blocks)


def _said(blocks: list[Any]) -> list[str]:
    return [str(one.get("text", "")) for one in blocks if isinstance(one, dict) and "text" in one.get("type", "text")]


def _turns(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what stands in a Markdown transcript of SpecStory or Aider."""
    text = path.read_text(encoding="utf-8")
    if path.name.startswith("aider"):
        yield from _aider(text.splitlines())
        return
    for turn in _TURN.finditer(text):
        block = next((one for one in _BLOCK.split(turn[2]) if _speaks(one)), "")
        if block:
            yield text[: turn.start()].count("\n") + 1, block


def _speaks(block: str) -> bool:
    return bool(block.strip()) and not block.lstrip().startswith(("<", "Tool"))


def _aider(lines: list[str]) -> Iterator[tuple[int, str]]:
    speaker, begun, said = "", 0, []
    for index, line in enumerate([*lines, "> "]):
        mark = next((mark for mark in ("#### ", "> ") if line.startswith(mark)), "agent" if line.strip() else speaker)
        if mark != speaker:
            if speaker not in ("", "> "):
                yield begun + 1, "\n".join(said)
            speaker, begun, said = mark, index, []
        said.append(line[5:] if mark == "#### " else line)


def _thoughts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what an agent of SWE-agent thought before each step."""
    steps = json.loads(path.read_text(encoding="utf-8"))["trajectory"]
    return ((number, step["thought"]) for number, step in enumerate(steps, 1) if step.get("thought"))


def main() -> None:
    """Write the labels with their texts."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder with transcripts/ and journals/")
    options.add_argument("--out", type=Path, required=True, help="where the three files are written")
    options.add_argument("--side", choices=SIDES, default="", help="one half of the projects alone")
    asked = options.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    rows = messages(asked.data, asked.side)
    for name, content in (("messages", rows), ("labels", rows), ("logs", logs(asked.data))):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
        (asked.out / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        print(f"{name}: {len(content)}")


if __name__ == "__main__":
    main()
