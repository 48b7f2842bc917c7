"""What a project is for, and for whom, where nobody said it in `main.md`: from its own files, else from its journals.

Owns what is told in place of a purpose, always marked as derived, the proposal that `review` makes of it, and writing
it when somebody takes it. Refuses to write it unasked, or over what a person wrote.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import main_page, paths
from sleep.documents.project import project_files
from sleep.documents.project.project_files import Purpose
from sleep.errors import UsageError
from sleep.language import lexicon
from sleep.language.acts.grammar import has
from sleep.language.tokenizer import has_wide
from sleep.memo import memo
from sleep.memory import place
from sleep.memory.view import View
from sleep.records.fragment import flat
from sleep.redaction import untrusted
from sleep.store import files
from sleep.store.tree import WorkTree
from sleep.wake import candidates, quality

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from sleep.memory.place import Place
    from sleep.wake.candidates import Candidate

_JOURNALS = "journals"
_LINES, _WHO = 4, 2  # of journals, in place of a purpose; and of those that say who is who
_OFTEN, _WAYS = 4, 3  # times that a name asks, answers or decides, and verbs of doing so, by which it is a person's
_FEW = 1  # spaces behind a label of purpose, below which it names a thing: `Vision: glm-4.6v`
_LEAST, _SPREAD = 3, 0.3  # journals, and their share, that speak of what the project is about
_LABEL = re.compile(r"(?:\w+ \()?(\w{2,20})\)?[:：] ?\S")  # takes `Vision: a chain`, leaves `Old vision: none`
_DEFINES = re.compile(
    r"(?:^|: )(?:I am |We are |Ich bin )?(?:[Tt]he )?([A-Z]\w+)(?: \([^)]*\))?(?: is| ist| [-—–=]|,) "
    r"(?:an?|the|eine?|der|die|das) "
)  # takes `Ada is a compiler`, leaves `It is not a compiler`
_NAME = re.compile(r"(?<=[\w,;] )[A-Z]\w{2,}")  # takes the second word of `the Ledger`, leaves the first
_SPEAKER = re.compile(r"(?i)\b(?:user|person|assistant|system|human): ")


def is_said(view: View) -> bool:
    """Return whether `main.md` says what the project is for."""
    words = main_page.purpose(view.read(paths.MAIN) or "")
    return bool(words) and not main_page.is_placeholder(words)


def derived(view: View) -> Purpose:
    """Return what the project's own files say that it is for; nothing where `main.md` says it, or a text commands."""
    purpose = Purpose() if is_said(view) else project_files.derive(view.read)
    return Purpose() if untrusted.is_instruction(purpose.text) else purpose


def offer(view: View) -> Purpose:
    """Return the purpose that `review` proposes: of the project's own files, else of journals; "" for none."""
    purpose = derived(view)
    if purpose.text or is_said(view):
        return purpose
    offered = candidates.gather(view, "", lambda fragment: fragment.text).candidates
    words = " ".join(offered[index].fragment.text for index in lines(offered))
    return Purpose(words, _JOURNALS if words else "")


def take(where: Place, words: str = "") -> Purpose:
    """Write a purpose into `main.md`, where none is said; without words the one that is proposed. Return it.

    Raises UsageError where one is said already, and where none is given or purpose.
    """
    with place.jotting(where, "purpose"):
        view = View(WorkTree(where.root))
        text = view.read(paths.MAIN) or main_page.new("Memory")
        if is_said(view):
            raise UsageError(f"{paths.MAIN} says already what this is for (edit it there)")
        purpose = Purpose(flat(place.clean(words)), "") if words.strip() else offer(view)
        if not purpose.text:
            raise UsageError("nothing: no README, package or journal says what this is for (say it with --text)")
        written = main_page.with_purpose(text, place.clean(purpose.text))
        files.write(where.root.absolute(paths.MAIN), written, within=where.root.path)
    return purpose


def lines(offered: Sequence[Candidate]) -> tuple[int, ...]:
    """Return the indexes of the lines of journals that say who is who, and what this is, the best of each journal."""
    own = [(index, each) for index, each in enumerate(offered) if each.phase == "journals" and not each.is_old]
    spoken: dict[str, set[str]] = {}
    for _, candidate in own:
        for name in _NAME.findall(candidate.fragment.text):
            spoken.setdefault(name, set()).add(candidate.path)
    least = max(_LEAST, _SPREAD * len({candidate.path for _, candidate in own}))
    names = frozenset(name for name, journals in spoken.items() if len(journals) >= least)
    who = _best(own, says_who)[:_WHO]
    what = (*_best(own, lambda text: says_what(text, names)), *_best(own, presents))
    return (*who, *[index for index in dict.fromkeys(what) if index not in who][:_LINES])


def _best(own: Iterable[tuple[int, Candidate]], says: Callable[[str], bool]) -> tuple[int, ...]:
    """Return the indexes of the lines that say something, the best of each journal, the best first."""
    best: dict[str, tuple[float, int]] = {}
    for index, candidate in own:
        if says(candidate.fragment.text):
            best[candidate.path] = max(best.get(candidate.path, (-1.0, 0)), (candidate.quality.score, index))
    return tuple(index for _, index in sorted(best.values(), key=lambda pair: (-pair[0], pair[1])))


def people(offered: Iterable[Candidate]) -> list[str]:
    """Return the names of who asks, answers and decides in journals, who does so most often first.

    A name counts where it does so often and in several ways: a program says one thing again and again.
    """
    verbs = lexicon.all_words("people.wishes") | lexicon.all_words("people.answers")
    others = lexicon.all_words("stop", "people.askers")
    deeds: dict[str, list[str]] = {}
    for candidate in offered:
        if candidate.phase == "journals":
            for name, verb in quality.deeds_of_names(candidate.fragment.text, verbs):
                if name.lower() not in others:
                    deeds.setdefault(name, []).append(verb)
    often = [name for name, own in deeds.items() if len(own) >= _OFTEN and len(set(own)) >= _WAYS]
    return sorted(often, key=lambda name: -len(deeds[name]))[:_WHO]


def shown(purpose: Purpose, offered: Sequence[Candidate], indexes: Sequence[int], names: Sequence[str] = ()) -> str:
    """Return what is told in place of a purpose, and who asks, marked as derived; "" for nothing."""
    if not (purpose.text or indexes or names):
        return ""
    lead = f"What this is (derived from {purpose.source or _JOURNALS}; `sleepwake review` asks for it):"
    words = f" {purpose.text}\n" if purpose.text else f"\n{''.join(offered[index].text for index in indexes)}"
    who = [offered[index].text for index in indexes if says_who(offered[index].fragment.text)]
    untold = [name for name in names if not any(name in text for text in (purpose.text, *who))]
    return f"{lead}{words}" + (f"- Who asks and decides: {', '.join(untold)}\n" if untold else "")


@memo(1 << 14, bool, None)  # of each line of all journals
def says_who(text: str) -> bool:
    """Return whether a line says who the instance is, or its person: `Identity: Milo, assistant of Ada`."""
    return has(text, "signs.who") and not _is_spoken(text)


@memo(1 << 14, bool, None)
def presents(text: str) -> bool:
    """Return whether a line presents a venture by its name, or somebody's vision: `Ladle: a marketplace for cooks`."""
    return has(text, "signs.what") and not _is_spoken(text)


def _is_spoken(text: str) -> bool:
    """Return whether a line tells what somebody said: `User: I am the owner`."""
    return ": " in text and _SPEAKER.search(text) is not None


def says_what(text: str, names: Collection[str]) -> bool:
    """Return whether a line says what this is: `Vision: ...`, or of a name that many journals have, what it is."""
    if _is_spoken(text):
        return False
    label = _LABEL.match(text)
    if label and label[1].lower() in lexicon.all_words("orients"):
        words = text[label.end() - 1 :]
        return has_wide(words) or words.count(" ") >= _FEW
    defined = _DEFINES.search(text)
    if defined is None or defined[1] not in names:
        return False
    return not has(text[defined.end() :], "signs.no purpose")
