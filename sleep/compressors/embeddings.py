"""Vectors for `recall`: any embedding model that the library `llm` knows, or a folder that sentence-transformers reads.

Owns whether one is asked (off by default; a tracked file needs permission, as for a compressor), and the call: in a
child, so that time limit and end are those of a program, and nothing that a model prints or loads is in this process.
What goes wrong is one sentence, and words alone answer. Loads nothing before a model is named: a cold start comes here.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sleep import extra_install
from sleep import settings as settings_
from sleep.errors import CompressorError, DocumentError, SleepError

if TYPE_CHECKING:
    import sqlite3
    from array import array
    from collections.abc import Callable, Mapping, Sequence

    from sleep.recall.postings import Limits
    from sleep.recall.search import Near
    from sleep.settings import Settings
    from sleep.store.layout import Root

_NAME = "recall_vectors"
_SECONDS = 600.0  # for a thousand texts, the loading of the model among it
_LIMIT = 64_000_000  # bytes: a thousand vectors of ten thousand numbers
_CHILD = """\
import array, base64, json, os, sys
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever a model prints is no vector
try:
    name, texts = sys.argv[1], json.load(sys.stdin.buffer)
    if os.path.isdir(name):
        from sentence_transformers import SentenceTransformer
        vectors = SentenceTransformer(name).encode(texts)
    else:
        import llm
        vectors = llm.get_embedding_model(name).embed_multi(texts)
    for vector in vectors:
        out.write(base64.b64encode(array.array("f", vector)).decode() + "\\n")
    out.flush()
except Exception as error:
    sys.exit(f"\\n{type(error).__name__}: {error}")
"""


def near(root: Root, say: Callable[[str], object], progress: Callable[[int, int], None] | None = None) -> Near | None:
    """Return what finds rows of a memory that mean nearly the same as a question; None where no model is named.

    Neither this nor what it returns raises anything that a model, a library, a setting or the disk can cause: `say` is
    given one sentence then, and no rows are found. `progress` is told how many texts are embedded, and of how many.
    """
    environ = settings_.environment()
    try:
        settings = _settings(root, environ)
        if settings is None or not settings.recall_vectors:
            return None
        _insist(root, settings, environ)
    except SleepError as error:
        say(_sentence(str(error).replace("\nHint: ", "; ")))
        return None
    return _search(root, settings.recall_vectors, environ, say, progress)


def _settings(root: Root, environ: Mapping[str, str]) -> Settings | None:
    """Return the settings, None where neither the file nor the environment speaks of vectors: most need not be read."""
    from sleep.documents import paths  # late: see above  # noqa: PLC0415
    from sleep.store import files  # noqa: PLC0415  # same

    text = files.read(root.absolute(paths.SETTINGS)) or ""
    is_told = any("vectors" in line.partition("#")[0] for line in text.splitlines())
    if not (is_told or settings_.is_from_environment(_NAME, environ)):
        return None
    from sleep.documents import yaml_reader  # noqa: PLC0415  # same

    try:
        return settings_.resolve(yaml_reader.load(text), environ=environ)
    except ValueError as error:
        raise DocumentError(str(error), where=paths.SETTINGS) from None


def _insist(root: Root, settings: Settings, environ: Mapping[str, str]) -> None:
    from importlib.util import find_spec  # late: see above  # noqa: PLC0415

    from sleep.compressors import call, permission  # noqa: PLC0415  # same

    if environ.get(call.GUARD):
        raise CompressorError("this runs inside a model's call, which may not ask a model", where=call.GUARD)
    permission.insist(root, settings, _NAME, environ, "take it out of sleep.yaml")
    is_folder = os.path.isdir(settings.recall_vectors)
    for library in ("sentence_transformers" if is_folder else "llm", "numpy"):
        if find_spec(library) is None:
            raise CompressorError(
                f"the library {library} is not installed",
                where="recall.vectors",
                hint=f"pip install {library.replace('_', '-')}" if is_folder else extra_install.command("vectors"),
            )


def _search(
    root: Root,
    name: str,
    environ: Mapping[str, str],
    say: Callable[[str], object],
    progress: Callable[[int, int], None] | None,
) -> Near:
    from sleep.recall import vectors  # late: see above  # noqa: PLC0415

    model = vectors.Model(name, lambda texts: _embed(name, texts, environ))
    path = os.path.join(root.state_dir, vectors.NAME)

    def search(base: sqlite3.Connection, text: str, limits: Limits) -> dict[int, float]:
        try:
            return vectors.find_similar(base, text, limits, model, path, progress)
        except vectors.VectorsError as error:
            say(_sentence(str(error)))
            return {}

    return search


def _embed(name: str, texts: Sequence[str], environ: Mapping[str, str]) -> list[array[float]]:
    """Return a vector for each text, secrets taken out; raises VectorsError."""
    import json  # late: see above  # noqa: PLC0415
    from array import array  # noqa: PLC0415  # same
    from base64 import b64decode  # noqa: PLC0415  # same

    from sleep.compressors import call  # noqa: PLC0415  # same
    from sleep.compressors.delegation import CallError  # noqa: PLC0415  # same
    from sleep.recall.vectors import VectorsError  # noqa: PLC0415  # same
    from sleep.redaction import secret_scan  # noqa: PLC0415  # same
    from sleep.store import private  # noqa: PLC0415  # same

    known = private.secrets()
    request = json.dumps([secret_scan.redact(text, known)[0] for text in texts])
    try:
        reply = call.ask([sys.executable, "-P", "-c", _CHILD, name], request, _SECONDS, environ, _LIMIT)
        return [array("f", b64decode(line, validate=True)) for line in reply.split()]
    except CallError as error:
        last = error.said.splitlines()[-1].strip() if error.said else ""
        raise VectorsError(f"{name} failed ({last or error.why})") from None
    except ValueError as error:
        raise VectorsError(f"{name} did not return vectors ({error})") from None


def _sentence(why: str) -> str:
    return f"Words alone answer, without vectors: {why}."
