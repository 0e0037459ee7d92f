"""The records of the fact base: scopes, blocks of statements in evaluation order, calls, functions, classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    import libcst as cst


# Plain strings instead of enum members: these are compared in the innermost loops of the walk.
class BindingKind:
    """How a name gets its value."""

    ASSIGN = "assign"
    ITER = "iter"
    WITH = "with"
    PARAM = "param"
    FUNC = "func"
    CLASS = "class"
    IMPORT = "import"
    AUG = "aug"
    EXCEPT = "except"


class BlockKind:
    """What a block of statements belongs to."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    LOOP = "loop"
    LOOP_ELSE = "loop-else"
    THEN = "then"
    ELSE = "else"
    WITH = "with"
    TRY = "try"
    EXCEPT = "except"
    FINALLY = "finally"


@dataclass(slots=True, eq=False, repr=False)
class Binding:
    """One binding of a name: its kind, the value expression (or import path), and where in the walk it stands.

    ``path`` holds the positions inside nested unpacking, for example ``(1, 0)`` for ``x`` in ``i, (x, y) = ...``.
    """

    kind: str
    value: object
    order: int
    block: Block | None
    path: tuple[int, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class Scope:
    """A namespace: module, class, function (also lambda) or comprehension."""

    kind: str
    name: str
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    redirects: dict[str, Scope] = field(default_factory=dict)
    """Names declared ``global`` or ``nonlocal``, with the scope that owns them."""

    def bind(self, name: str, binding: Binding) -> None:
        """Record a binding in the scope that owns the name."""
        owner = self.redirects.get(name, self)
        owner.bindings.setdefault(name, []).append(binding)


@dataclass(slots=True, eq=False, repr=False)
class Block:
    """Statements that run one after the other, as items in evaluation order."""

    kind: str
    node: cst.CSTNode
    parent: Block | None
    scope: Scope
    function: Function | None
    order: int
    items: list[Item] = field(default_factory=list)
    owner: Branch | Loop | With | Try | None = None
    """The statement that this block is a part of."""

    def within(self, other: Block) -> bool:
        """Whether this block is, or lies inside, the other one."""
        block: Block | None = self
        while block is not None:
            if block is other:
                return True
            block = block.parent
        return False


@dataclass(slots=True, eq=False, repr=False)
class Call:
    """A call expression; ``root`` and ``chain`` split ``a.b.c(...)`` into the node of ``a`` and ``("b", "c")``."""

    node: cst.Call
    root: cst.BaseExpression
    chain: tuple[str, ...]
    block: Block
    order: int
    qualified: tuple[str, ...] | None = None

    @property
    def attribute(self) -> str:
        """The called name: ``c`` of ``a.b.c()``, ``f`` of ``f()``, or an empty string."""
        if self.chain:
            return self.chain[-1]
        return getattr(self.root, "value", "") if type(self.root).__name__ == "Name" else ""


@dataclass(slots=True, eq=False, repr=False)
class Assign:
    """An assignment of any form; ``operator`` is the text of an augmented one (``+=``) or empty."""

    node: cst.CSTNode
    target: cst.BaseExpression
    value: cst.BaseExpression
    operator: str
    block: Block
    order: int


@dataclass(slots=True, eq=False, repr=False)
class Branch:
    """A conditional statement or expression; ``elif`` is a branch inside the block ``orelse``."""

    node: cst.CSTNode
    test: cst.BaseExpression | None
    block: Block
    order: int
    then: Block
    orelse: Block | None


@dataclass(slots=True, eq=False, repr=False)
class Loop:
    """A ``for`` (with target and iterable), a ``while`` (with test) or a comprehension."""

    node: cst.CSTNode
    kind: str
    block: Block
    order: int
    body: Block
    iterable: cst.BaseExpression | None
    target: cst.BaseExpression | None
    test: cst.BaseExpression | None
    orelse: Block | None = None


@dataclass(slots=True, eq=False, repr=False)
class With:
    """A ``with`` statement and its context expressions."""

    node: cst.CSTNode
    contexts: tuple[cst.BaseExpression, ...]
    block: Block
    order: int
    body: Block


@dataclass(slots=True, eq=False, repr=False)
class Try:
    """A ``try`` statement."""

    node: cst.CSTNode
    block: Block
    order: int
    body: Block
    handlers: tuple[Block, ...]
    orelse: Block | None
    final: Block | None


@dataclass(slots=True, eq=False, repr=False)
class Jump:
    """``return`` (with its value), ``break``, ``continue``, ``raise`` or ``yield``."""

    node: cst.CSTNode
    kind: str
    value: cst.BaseExpression | None
    block: Block
    order: int


Item = Union[Call, Assign, Branch, Loop, With, Try, Jump]


@dataclass(slots=True, eq=False, repr=False)
class Parameter:
    """A parameter; ``kind`` is ``positional``, ``keyword``, ``args`` or ``kwargs``."""

    name: str
    kind: str
    default: cst.BaseExpression | None
    annotation: cst.BaseExpression | None


@dataclass(slots=True, eq=False, repr=False)
class Function:
    """A function, method or lambda."""

    node: cst.FunctionDef | cst.Lambda
    name: str
    scope: Scope
    parameters: tuple[Parameter, ...]
    decorators: tuple[cst.BaseExpression, ...]
    owner: Class | None
    parent: Function | None
    place: Block
    order: int
    body: Block
    returns: list[Jump] = field(default_factory=list)
    yields: list[Jump] = field(default_factory=list)
    is_generator: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Class:
    """A class with its bases (expressions), methods, fields and the attributes set on ``self``."""

    node: cst.ClassDef
    name: str
    scope: Scope
    bases: tuple[cst.BaseExpression, ...]
    decorators: tuple[cst.BaseExpression, ...]
    place: Block
    order: int
    body: Block
    methods: dict[str, Function] = field(default_factory=dict)
    attributes: dict[str, list[tuple[Binding, Function]]] = field(default_factory=dict)
    fields: dict[str, tuple[cst.BaseExpression | None, cst.BaseExpression | None]] = field(default_factory=dict)
    """Class-level names: annotation and default value."""


@dataclass(slots=True, eq=False, repr=False)
class Facts:
    """Everything the walk has seen, in source order."""

    module: cst.Module
    body: Block
    calls: list[Call] = field(default_factory=list)
    assigns: list[Assign] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    withs: list[With] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    imports: list[tuple[str, cst.CSTNode]] = field(default_factory=list)
    """Imported qualified names, with the import statement (or the alias) they come from."""
    attribute_loads: dict[str, int] = field(default_factory=dict)
    """How often each attribute name is read outside a call's own name."""
