"""ruamel.yaml, asked for values.

Owns the translation of its nodes into our values: keys are strings, dates stay as written. Refuses duplicate keys,
merge keys, tags that make objects, and aliases that multiply (a few bytes that stand for gigabytes). Only loaded where
the subset reader does not answer.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError, YAMLWarning
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from sleep.documents.yaml_values import Broken

if TYPE_CHECKING:
    from sleep.documents.yaml_values import Value

_TAG = "tag:yaml.org,2002:"
_MOST = 100_000
# what surrogateescape makes of bytes that are not UTF-8, and characters that YAML allows and nobody uses
_BYTES = {0xDC00 + byte: 0x10FE00 + byte for byte in range(0x80, 0x100)}
_BACK = {there: here for here, there in _BYTES.items()}


def read(text: str) -> dict[str, Value]:
    """Return the map.

    Raises:
        Broken: not YAML, or no map; lines count from 0.
    """
    mark = int(text.startswith("\ufeff"))
    raw = not _BYTES.keys().isdisjoint(map(ord, text))
    if raw and ("10fe" in text.lower() or not _BACK.keys().isdisjoint(map(ord, text))):
        raise Broken(0, "bytes that are not UTF-8, beside characters of the plane that stands in for them")
    yaml = YAML(typ="safe", pure=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", YAMLWarning)
            root = yaml.compose(text[mark:].translate(_BYTES))
        if root is None or (isinstance(root, ScalarNode) and root.tag == f"{_TAG}null"):
            return {}
        if not isinstance(root, MappingNode):
            raise Broken(root.start_mark.line, "not a map (lines of `key: value`)")
        return _Reading(yaml.constructor, _BACK if raw else {}).map(root)
    except (RecursionError, YAMLError, ValueError) as error:
        raise _broken(text, error) from None


def _broken(text: str, error: Exception) -> Broken:
    """Return what is wrong, from what ruamel.yaml says."""
    if isinstance(error, Broken):
        return error
    if isinstance(error, RecursionError):
        return Broken(0, "nested too deeply")
    if isinstance(error, ReaderError):
        return Broken(text.count("\n", 0, error.position), f"character U+{error.character:04X} is not allowed")
    if isinstance(error, MarkedYAMLError):
        spot = error.problem_mark or error.context_mark
        what = " ".join(str(error.problem or error.context or "not YAML").split())
        return Broken(spot.line if spot else 0, what)
    return Broken(0, " ".join(str(error).split()) or "not YAML")


class _Reading:
    """One walk over the nodes; counts them, since an alias may lead to the same node again and again."""

    def __init__(self, constructor: Any, back: dict[int, int]) -> None:  # ruamel has no type for it  # noqa: ANN401
        self.constructor = constructor
        self.back = back
        self.count = 0

    def map(self, node: MappingNode) -> dict[str, Value]:
        out: dict[str, Value] = {}
        self._known(node, "map")
        for key, value in node.value:
            name = self.name(key)
            if name in out:
                raise Broken(key.start_mark.line, f"the key {name!r} stands here twice")
            out[name] = self.value(value)
        return out

    def value(self, node: Node) -> Value:
        self.count += 1
        if self.count > _MOST:
            raise Broken(node.start_mark.line, "too many values (aliases that multiply)")
        if isinstance(node, MappingNode):
            return self.map(node)
        if isinstance(node, SequenceNode):
            self._known(node, "seq")
            return [self.value(item) for item in node.value]
        return self._scalar(node)

    def name(self, key: Node) -> str:
        if not isinstance(key, ScalarNode):
            raise Broken(key.start_mark.line, "a key must be one word or phrase")
        if str(key.tag) == f"{_TAG}merge":
            raise Broken(key.start_mark.line, "merge keys (<<) are not read here")
        return str(key.value).translate(self.back)

    def _scalar(self, node: Node) -> Value:
        self._known(node, "str", "timestamp", "int", "float", "bool", "null", "value")
        kind = str(node.tag).removeprefix(_TAG)
        if kind in {"str", "timestamp", "value"}:
            return str(node.value).translate(self.back)
        try:
            made: Value = getattr(self.constructor, f"construct_yaml_{kind}")(node)
        except (ValueError, KeyError, IndexError):
            raise Broken(node.start_mark.line, f"{node.value!r} is no {kind}") from None
        return made

    @staticmethod
    def _known(node: Node, *kinds: str) -> None:
        tag = str(node.tag)
        if tag.removeprefix(_TAG) not in kinds or not tag.startswith(_TAG):
            raise Broken(node.start_mark.line, f"the tag {tag} is not read here")
