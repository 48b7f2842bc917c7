"""Files of a context folder, read for a snapshot: as far as is needed, and whatever state they are in.

Owns listing a folder with one scan, and reading a file or its beginning as clean text. Refuses to fail: what cannot be
read comes back as a sentence that says why, so that it costs a line and never the snapshot. Line ends become line
feeds, a BOM and what is not UTF-8 do no harm, and a file that is no text or is larger than any page is not taken in.
Nor is one outside of the project: a link in a repository that somebody else made must not put a private file of this
machine before a model.
"""

from __future__ import annotations

import errno
import os
import stat

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.store.context import Context

HEAD = 8_192  # bytes in which the fields of a page stand, nearly always
PAGE = 1 << 20  # bytes above which a file is no page that a session should start with
_CHUNK = 1 << 16
# A pipe in a file's place must not hold the session up, and a link is looked at before it is followed.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_OUTSIDE = "is a link that leads out of the project"
_SUFFIXES = (".md", ".markdown")
_WHY_NOT = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EISDIR: "is a folder",
    errno.ELOOP: "is a link that leads in a circle",
    errno.ENOTDIR: "is no folder",
    errno.ENOENT: "is a link that leads nowhere",
    errno.ENXIO: "is no file",
}


class File(NamedTuple):
    """A file of a folder: its name without the suffix of Markdown, and where it is."""

    stem: str
    name: str
    path: str


class Text(NamedTuple):
    """What a file says, or in `problem` why that cannot be told; `whole` is false where only the beginning was read."""

    text: str = ""
    problem: str = ""
    whole: bool = True


class Folder(NamedTuple):
    """The files of a folder by name, and why they cannot be listed."""

    files: tuple[File, ...] = ()
    problem: str = ""


def pages(context: Context, *names: str) -> Folder:
    """Return the Markdown pages directly in a folder of the context, by name; none for a folder that is not there.

    Hidden files, and files still being written, are not listed; a folder or a broken link named like a page is.
    """
    folder = files(context, *names)
    return folder._replace(files=tuple(page for page in folder.files if page.name.lower().endswith(_SUFFIXES)))


def files(context: Context, *names: str) -> Folder:
    """Return everything directly in a folder of the context, as `pages` does, whatever it is called."""
    folder = os.path.join(context.folder, *names)
    try:
        listing = [name for name in os.listdir(folder) if name[0] != "."]
    except FileNotFoundError:
        return Folder()
    except OSError as error:
        return Folder(problem=_refusal(error))
    if _leads_out(context, folder):
        return Folder(problem=_OUTSIDE)
    listed = [File(_shown(os.path.splitext(name)[0]), _shown(name), os.path.join(folder, name)) for name in listing]
    return Folder(tuple(sorted(listed, key=lambda file: (file.stem.casefold(), file.name))))


def _shown(name: str) -> str:
    """Return a file's name as one line that can be printed."""
    return name if name.isprintable() else "".join(sign if sign.isprintable() else "?" for sign in name)


def beginning(context: Context, path: str) -> Text:
    """Return the first 8 KiB of a listed file; a larger one is not `whole`, and its last character may be cut."""
    return _read(context, path, HEAD, cut=True)


def whole(context: Context, path: str) -> Text:
    """Return a listed file's text; a file above 1 MiB is a problem."""
    return _read(context, path, PAGE, cut=False)


def single(context: Context, path: str) -> Text | None:
    """Return the text of a file that no folder was listed for, as `whole` does; None where there is none."""
    if not os.path.lexists(path):
        return None
    if _leads_out(context, os.path.dirname(path)):
        return Text(problem=_OUTSIDE)
    return whole(context, path)


def text(context: Context, *names: str) -> str:
    """Return the text of a file below the base of a context, "" where there is none or where it cannot be read."""
    return (single(context, os.path.join(context.base, *names)) or Text()).text


def insist(context: Context, path: str) -> str:
    """Return the text of a file, "" where there is none; OSError with the reason where it cannot be read."""
    file = single(context, path) or Text()
    if file.problem:
        raise OSError(f"{os.path.relpath(path, context.base)} {file.problem}")
    return file.text


def _leads_out(context: Context, path: str) -> bool:
    real = os.path.realpath(path)
    roots = (context.base, os.path.realpath(context.folder))
    return not any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _read(context: Context, path: str, limit: int, *, cut: bool) -> Text:
    try:
        try:
            descriptor = os.open(path, _FLAGS | _NO_LINK)
        except OSError:
            if not os.path.islink(path):
                raise
            if os.path.exists(path) and _leads_out(context, path):
                return Text(problem=_OUTSIDE)
            descriptor = os.open(path, _FLAGS)
    except OSError as error:
        return Text(problem=_refusal(error))
    try:
        content = os.read(descriptor, HEAD + 1)  # a large buffer costs more than a small page
        if not content and not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return Text(problem="is no file")
        while (
            content and len(content) <= limit and (more := os.read(descriptor, min(limit + 1 - len(content), _CHUNK)))
        ):
            content += more
        size = os.fstat(descriptor).st_size if len(content) > limit else len(content)
    except OSError as error:
        return Text(problem=_refusal(error))
    finally:
        os.close(descriptor)
    if size > limit and not cut:
        return Text(problem=f"is too large to show ({size / PAGE:.1f} MiB)")
    return _decoded(content[:limit], whole=size <= limit)


def _refusal(error: OSError) -> str:
    return _WHY_NOT.get(error.errno or 0, error.strerror or "cannot be read")


def _decoded(content: bytes, *, whole: bool) -> Text:
    if content.startswith(_UTF16):
        text = content.decode("utf-16", "replace")
    elif b"\0" in content:
        return Text(problem="is no text")
    else:
        text = content.decode("utf-8", "replace")
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Text(text, whole=whole)
