"""What the walk collects from a file."""

from __future__ import annotations

import ast
import glob
import os
import textwrap

import libcst as cst
import pytest

from dnnlint.facts import Block, Facts, collect_facts, lookup, qualified_names


def facts_of(source: str) -> Facts:
    """The facts of an indented source text."""
    return collect_facts(cst.parse_module(textwrap.dedent(source)))


def call_names(facts: Facts) -> list[str]:
    """The called names in evaluation order."""
    return [call.attribute for call in facts.calls]


EVERY_PLACE = {
    "argument before call": ("f(g(), k=h())", ["g", "h", "f"]),
    "receiver before method": ("a().b().c()", ["a", "b", "c"]),
    "subscript": ("a()[b()]", ["a", "b"]),
    "slice": ("x[a():b()]", ["a", "b"]),
    "comparison": ("a() < b() < c()", ["a", "b", "c"]),
    "arithmetic": ("-a() + b() * c()", ["a", "b", "c"]),
    "conditional expression": ("b() if a() else c()", ["a", "b", "c"]),
    "boolean operators": ("a() and b() or c()", ["a", "b", "c"]),
    "formatted text": ('f"{a():{b()}}"', ["a", "b"]),
    "dict display": ("{a(): b(), **c()}", ["a", "b", "c"]),
    "set and list": ("{a(), *b()}, [c()]", ["a", "b", "c"]),
    "list comprehension": ("[c() for x in a() if b()]", ["a", "b", "c"]),
    "dict comprehension": ("{c(): d() for x in a() for y in b()}", ["a", "b", "c", "d"]),
    "generator": ("f(a() for x in b())", ["b", "a", "f"]),
    "lambda": ("f(lambda x=a(): b())", ["a", "b", "f"]),
    "decorator and default": ("@a()\ndef f(x=b()) -> None:\n    c()", ["a", "b", "c"]),
    "class": ("@a()\nclass C(b(), metaclass=c()):\n    x = d()", ["a", "b", "c", "d"]),
    "assignment targets": ("a().x = b()\nc()[d()] = e()", ["b", "a", "e", "c", "d"]),
    "augmented": ("x += a()", ["a"]),
    "annotated": ("x: int = a()", ["a"]),
    "walrus": ("(x := a())", ["a"]),
    "if elif else": ("if a():\n    b()\nelif c():\n    d()\nelse:\n    e()", ["a", "b", "c", "d", "e"]),
    "for else": ("for x in a():\n    b()\nelse:\n    c()", ["a", "b", "c"]),
    "while": ("while a():\n    b()", ["a", "b"]),
    "with": ("with a() as x, b():\n    c()", ["a", "b", "c"]),
    "try": ("try:\n    a()\nexcept E as e:\n    b()\nelse:\n    c()\nfinally:\n    d()", ["a", "b", "c", "d"]),
    "match": ("match a():\n    case 1:\n        b()\n    case _:\n        c()", ["a", "b", "c"]),
    "return, raise, assert": ("def f():\n    assert a()\n    raise b()\n    return c()", ["a", "b", "c"]),
    "yield": ("def f():\n    yield a()\n    yield from b()", ["a", "b"]),
    "await": ("async def f():\n    await a()\n    async with b():\n        c()", ["a", "b", "c"]),
    "delete": ("del x[a()]", ["a"]),
    "starred": ("f(*a(), **b())", ["a", "b", "f"]),
}


@pytest.mark.parametrize(("source", "expected"), EVERY_PLACE.values(), ids=EVERY_PLACE)
def test_calls_are_found_in_evaluation_order(source: str, expected: list[str]) -> None:
    assert call_names(facts_of(source)) == expected


QUALIFIED = {
    "import": ("import torch\ntorch.optim.SGD()", ("torch.optim.SGD",)),
    "import as": ("import torch.nn.functional as F\nF.relu()", ("torch.nn.functional.relu",)),
    "from import": ("from torch.optim import SGD\nSGD()", ("torch.optim.SGD",)),
    "from import as": ("from torch import optim as o\no.SGD()", ("torch.optim.SGD",)),
    "relative": ("from ..a import f\nf()", ("..a.f",)),
    "relative package": ("from . import f\nf()", (".f",)),
    "local function": ("def f(): pass\nf()", ()),
    "built-in": ("len()", ("builtins.len",)),
    "shadowed built-in": ("def len(): pass\nlen()", ()),
    "unknown": ("nothing()", ()),
    "imported inside": ("def g():\n    from a import f\n    f()", ("a.f",)),
    "either import": ("try:\n    from a import f\nexcept ImportError:\n    from b import f\nf()", ("a.f", "b.f")),
    "class scope is not inherited": ("class C:\n    from a import f\n    def g(self):\n        f()", ()),
    "result of a call": ("g()()", ()),
}


@pytest.mark.parametrize(("source", "expected"), QUALIFIED.values(), ids=QUALIFIED)
def test_qualified_names(source: str, expected: tuple[str, ...]) -> None:
    assert qualified_names(facts_of(source).calls[-1]) == expected


def test_blocks_know_their_loop_and_function() -> None:
    facts = facts_of(
        """
        def f():
            for x in y:
                if x:
                    g()
        """
    )
    (call,) = facts.calls
    kinds = []
    block: Block | None = call.block
    while block is not None:
        kinds.append(block.kind)
        block = block.parent
    assert kinds == ["then", "loop", "function", "module"]
    assert call.block.function is facts.functions[0]


def test_methods_and_attributes_of_a_class() -> None:
    facts = facts_of(
        """
        class A(B):
            size: int = 3
            def __init__(self):
                self.x = 1
                other.y = 2
            def run(self):
                self.x, self.z = 3, 4
        """
    )
    (cls,) = facts.classes
    assert list(cls.methods) == ["__init__", "run"]
    assert {name: len(found) for name, found in cls.attributes.items()} == {"x": 2, "z": 1}
    assert list(cls.fields) == ["size"]


def test_parameters_keep_kind_and_default() -> None:
    facts = facts_of("def f(a, /, b, c=1, *args, d, e=2, **kw): pass")
    kinds = [(p.name, p.kind, p.default is not None) for p in facts.functions[0].parameters]
    assert kinds == [
        ("a", "positional", False),
        ("b", "positional", False),
        ("c", "positional", True),
        ("d", "keyword", False),
        ("e", "keyword", True),
        ("args", "args", False),
        ("kw", "kwargs", False),
    ]


def test_comprehension_variable_stays_inside() -> None:
    facts = facts_of("[x for x in y]\nx()")
    owner, _ = lookup(facts.calls[-1].block.scope, "x")
    assert owner is None


def test_generators_and_returns() -> None:
    facts = facts_of("def f():\n    yield 1\ndef g():\n    return 2\nh = lambda: 3")
    assert [(f.name, f.is_generator, len(f.returns)) for f in facts.functions] == [
        ("f", True, 0),
        ("g", False, 1),
        ("<lambda>", False, 1),
    ]


def _standard_library() -> list[str]:
    return sorted(glob.glob(os.path.join(os.path.dirname(ast.__file__), "*.py")))[:40]


@pytest.mark.parametrize("path", _standard_library(), ids=os.path.basename)
def test_every_call_of_a_real_file_is_seen_once(path: str) -> None:
    """The walk and Python's own parser agree on the number of calls, functions and classes."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    facts = collect_facts(cst.parse_module(source))
    nodes = list(ast.walk(ast.parse(source)))
    # A call inside a type annotation is no call that runs; the walk leaves annotations alone.
    annotations = {id(c) for n in nodes for a in _annotations(n) for c in ast.walk(a) if isinstance(c, ast.Call)}
    calls = [n for n in nodes if isinstance(n, ast.Call) and id(n) not in annotations]
    assert len(facts.calls) == len(calls)
    assert len(facts.functions) == sum(
        isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) for n in nodes
    )
    assert len(facts.classes) == sum(isinstance(n, ast.ClassDef) for n in nodes)


def _annotations(node: ast.AST) -> list[ast.expr]:
    found = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    return [a for a in found if isinstance(a, ast.expr)]
