"""Facts: what stands in a file, collected in one walk over its syntax tree."""

from dnnlint.facts.model import (
    Assign,
    Binding,
    BindingKind,
    Block,
    BlockKind,
    Branch,
    Call,
    Class,
    Facts,
    Function,
    Item,
    Jump,
    Loop,
    Parameter,
    Scope,
    Try,
    With,
)
from dnnlint.facts.names import dotted, lookup, mentions, qualified_names
from dnnlint.facts.walk import collect_facts

__all__ = [
    "Assign",
    "Binding",
    "BindingKind",
    "Block",
    "BlockKind",
    "Branch",
    "Call",
    "Class",
    "Facts",
    "Function",
    "Item",
    "Jump",
    "Loop",
    "Parameter",
    "Scope",
    "Try",
    "With",
    "collect_facts",
    "dotted",
    "lookup",
    "mentions",
    "qualified_names",
]
