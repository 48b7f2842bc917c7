"""What git children inherit: the person's settings, never the caller's repository.

A git hook runs with GIT_DIR, GIT_INDEX_FILE and more set; a child that saw them would work on another repository or
index. Owns the list of what may stay, and who commits where nobody is named. Pure.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from collections.abc import Collection, Mapping

_INHERITED = frozenset(
    {
        *(f"GIT_{role}_{part}" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL", "DATE")),
        *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT"),
        *("GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_SSL_NO_VERIFY"),
        *("GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_ALLOW_PROTOCOL", "GIT_TEST_FSYNC"),
    }
)
_FALLBACK = {"NAME": "sleepwake", "EMAIL": "sleepwake@localhost"}
_INHERITED_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_PYTHON_")


def is_foreign(name: str) -> bool:
    """Return whether a variable belongs to the git process that called us, not to the person."""
    return name.startswith("GIT_") and name not in _INHERITED and not name.startswith(_INHERITED_PREFIXES)


def for_git(environment: Mapping[str, str], *, reading: bool) -> dict[str, str]:
    """Return the environment of a git child: untranslated, never asking; `reading` takes no optional locks."""
    clean = {name: value for name, value in environment.items() if not is_foreign(name)}
    return clean | settings(reading=reading)


def settings(*, reading: bool) -> dict[str, str]:
    """Return the variables that every git child of ours gets."""
    fixed = {"LC_ALL": "C", "LANGUAGE": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "GIT_PAGER": "cat"}
    return fixed | {"GIT_OPTIONAL_LOCKS": "0"} if reading else fixed


def missing_identity(known: Collection[str], outer: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for what a machine leaves unset of who commits; its own words always win.

    Args:
        known: the settings that git has of it, as in `user.name`.
        outer: the environment.
    """
    missing = {}
    for role in ("AUTHOR", "COMMITTER"):
        for part, fallback in _FALLBACK.items():
            variables = {f"GIT_{role}_{part}", *(("EMAIL",) if part == "EMAIL" else ())}
            keys = {f"user.{part.lower()}", f"{role.lower()}.{part.lower()}"}
            if keys.isdisjoint(known) and not any(outer.get(name) for name in variables):
                missing[f"GIT_{role}_{part}"] = fallback
    return missing
