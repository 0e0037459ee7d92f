"""YAML with places, by ruamel.yaml's composer: anchors, merge keys and several documents; no objects are built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.deploy.tree import Malformed, Mapping, Scalar, Sequence, Span, Tree

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

MAX_NODES = 200_000
"""Of one document with its aliases written out: a few lines of nested aliases can stand for billions of nodes."""


def read_yaml(text: str) -> list[Tree]:
    """The documents of a text.

    Raises:
        Malformed: the text is not YAML, or its aliases stand for too much.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    # Reading stops at characters that YAML forbids; the byte order mark is no part of the text.
    try:
        nodes = [node for node in YAML(typ="safe", pure=True).compose_all(text) if node is not None]
        return [_Converter().convert(node) for node in nodes]
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = " ".join(str(error.problem or error.context).split())
        raise Malformed(f"invalid YAML: {reason}", mark.index if mark else 0) from error
    except YAMLError as error:
        raise Malformed("invalid YAML: a character that YAML does not allow", getattr(error, "position", 0)) from error
    except (RecursionError, ValueError) as error:
        raise Malformed("invalid YAML: it is nested too deeply", 0) from error


class _Converter:
    """Turns the nodes of one document into trees; an alias becomes the tree of its anchor."""

    def __init__(self) -> None:
        self._known: dict[int, Tree] = {}
        self._count = 0

    def convert(self, node: Node) -> Tree:
        from ruamel.yaml.nodes import SequenceNode

        known = self._known.get(id(node))
        if known is not None:
            return known
        self._count += 1
        if self._count > MAX_NODES:
            raise Malformed("invalid YAML: more nodes than can be read", 0)
        span = Span(node.start_mark.index, node.end_mark.index)
        if isinstance(node.value, str):
            tree: Tree = Scalar(node.value, span, getattr(node, "style", None) or "")
        elif isinstance(node, SequenceNode):
            tree = Sequence(tuple(self.convert(item) for item in node.value), span)
        else:
            tree = self._mapping(node, span)
        self._known[id(node)] = tree
        return tree

    def _mapping(self, node: Node, span: Span) -> Mapping:
        mapping = Mapping([], span)
        self._known[id(node)] = mapping  # an anchor may hold an alias of itself
        for key_node, value_node in node.value:
            key, value = self.convert(key_node), self.convert(value_node)
            if not isinstance(key, Scalar):
                continue
            if key.text == "<<" and not key.style:
                sources = value.items if isinstance(value, Sequence) else (value,)
                mapping.merged += [item for item in sources if isinstance(item, Mapping) and item is not mapping]
            else:
                mapping.entries.append((key, value))
        return mapping


def inner_span(scalar: Scalar, text: str) -> Span:
    """Where the value of a scalar stands, without its quotes or the header of a block."""
    start, end = scalar.span
    if scalar.style in ("'", '"'):
        return Span(start + 1, end - 1)
    if scalar.style in ("|", ">"):
        line_end = text.find("\n", start)
        return Span(line_end + 1 if 0 <= line_end < end else start, end)
    return Span(start, end)
