"""What expressions resolve to: each case is a program whose call of ``show`` holds the expression in question."""

from __future__ import annotations

import textwrap

import libcst as cst
import pytest

from dnnlint.program import Program, build_program
from dnnlint.program.values import (
    ClassValue,
    Const,
    Element,
    External,
    FunctionValue,
    Items,
    Member,
    Object,
    Opaque,
    Result,
    Setting,
    Table,
    Value,
)


def program_of(source: str) -> Program:
    """The analysed program of an indented source text."""
    return build_program(cst.parse_module(textwrap.dedent(source)))


def describe(value: Value) -> str:
    """A value in the short notation of the cases."""
    if isinstance(value, Const):
        return repr(value.value)
    if isinstance(value, External):
        return value.qualified
    if isinstance(value, Result):
        return f"{describe(value.callee)}()"
    if isinstance(value, Setting):
        return f"{value.source}:{value.name}={'|'.join(describe(v) for v in value.defaults)}"
    if isinstance(value, Object):
        return f"<{value.cls.name}>"
    if isinstance(value, FunctionValue):
        return f"def {value.function.name}"
    if isinstance(value, ClassValue):
        return f"class {value.cls.name}"
    if isinstance(value, Member):
        return f"{describe(value.base)}.{value.name}"
    if isinstance(value, Element):
        return f"{describe(value.base)}[{value.index}]"
    if isinstance(value, Items):
        return f"items({len(value.refs)})"
    if isinstance(value, Table):
        return f"table({','.join(k for k, _ in value.refs)}{'' if value.complete else ',...'})"
    return f"opaque {value.name}" if isinstance(value, Opaque) else "?"


def shown(source: str) -> list[str]:
    """What the first argument of ``show(...)`` may be."""
    program = program_of(source)
    call = next(c for c in program.facts.calls if c.attribute == "show")
    return [describe(v) for v in program.resolve(call.node.args[0].value, call)]


CASES = {
    "literal": ("show(4)", ["4"]),
    "joined text": ('show("a" "b")', ["'ab'"]),
    "negative number": ("show(-1)", ["-1"]),
    "arithmetic": ("n = 2\nshow(n * 4 + 1)", ["9"]),
    "division by zero is unknown": ("show(1 // 0)", ["?"]),
    "not": ("show(not True)", ["False"]),
    "library name": ("import torch\nshow(torch.float16)", ["torch.float16"]),
    "renamed import": ("from torch import optim as o\nshow(o.SGD)", ["torch.optim.SGD"]),
    "import inside a function": ("def f():\n    import torch.nn as nn\n    show(nn.Linear)", ["torch.nn.Linear"]),
    "relative import": ("from .utils import make\nshow(make)", [".utils.make"]),
    "built-in": ("show(len)", ["builtins.len"]),
    "name that nobody binds": ("show(nothing)", ["opaque nothing"]),
    "last assignment wins": ("n = 1\nn = 2\nshow(n)", ["2"]),
    "conditional assignment adds": ("n = 1\nif c:\n    n = 2\nshow(n)", ["1", "2"]),
    "both arms": ("if c:\n    n = 1\nelse:\n    n = 2\nshow(n)", ["1", "2"]),
    "later assignment is not seen": ("n = 1\nshow(n)\nn = 2", ["1"]),
    "assignment later in the loop is seen": ("n = 1\nfor i in x:\n    show(n)\n    n = 2", ["1", "2"]),
    "conditional expression": ("show(1 if c else 2)", ["1", "2"]),
    "conditional expression with known test": ("show(1 if True else 2)", ["1"]),
    "or keeps truthy sides": ("show(None or 4)", ["4"]),
    "or stops at a truthy side": ("show(3 or 4)", ["3"]),
    "and": ("show(0 and 4)", ["0"]),
    "walrus": ("if (n := 5):\n    show(n)", ["5"]),
    "global constant from a function": ("N = 4\ndef f():\n    show(N)", ["4"]),
    "global statement": ("n = 1\ndef f():\n    global n\n    n = 2\n    show(n)", ["1", "2"]),
    "nonlocal statement": (
        "def g():\n    n = 1\n    def f():\n        nonlocal n\n        n = 2\n    show(n)",
        ["1", "2"],
    ),
    "closure": ("def outer():\n    n = 3\n    def inner():\n        show(n)", ["3"]),
    "unpacking": ("a, (b, c) = 1, (2, 3)\nshow(c)", ["3"]),
    "unpacking an unknown": ("a, b = f()\nshow(b)", ["opaque f()[1]"]),
    "list element": ("n = [4, 5]\nshow(n[-1])", ["5"]),
    "dict entry": ('c = {"lr": 1}\nshow(c["lr"])', ["1"]),
    "dict get": ('c = {"lr": 1}\nshow(c.get("lr", 2))', ["1"]),
    "dict get default": ('c = {"lr": 1}\nshow(c.get("bs", 2))', ["2"]),
    "dict call": ('c = dict(lr=1)\nshow(c["lr"])', ["1"]),
    "merged dict": ('a = {"x": 1}\nb = {**a, "y": 2}\nshow(b["x"])', ["1"]),
    "dict chosen by an unknown key": ('show({"a": 1, "b": 2}[key])', ["1", "2"]),
    "dict with an unknown key": ("show({k: 1})", ["table(,...)"]),
    "loop variable": ("for x in data:\n    show(x)", ["opaque data[iter[]]"]),
    "next of an iterator": ("show(next(it))", ["opaque it[iter[]]"]),
    "with target": ("with open(p) as f:\n    show(f)", ["builtins.open()"]),
    "library call": ("import torch\nshow(torch.zeros(3))", ["torch.zeros()"]),
    "method result": (
        "import torch\nm = torch.nn.Linear(1, 1)\nshow(m.parameters())",
        ["torch.nn.Linear().parameters()"],
    ),
    "moved module stays itself": ("import torch\nshow(torch.nn.Linear(1, 1).cuda().half())", ["torch.nn.Linear()"]),
    "compiled module stays itself": ("import torch\nshow(torch.compile(torch.nn.ReLU()))", ["torch.nn.ReLU()"]),
    "module of a wrapper": (
        "from torch.nn.parallel import DistributedDataParallel as DDP\nm = DDP(net)\nshow(m.module)",
        ["opaque net"],
    ),
    "prepared by accelerate": (
        "from accelerate import Accelerator\na = Accelerator()\nm, o = a.prepare(x, y)\nshow(o)",
        ["opaque y"],
    ),
    "prepared alone": ("m = accelerator.prepare(x)\nshow(m)", ["opaque x"]),
    "function return": ("def f():\n    return 4\nshow(f())", ["4"]),
    "function with two returns": ("def f():\n    if c:\n        return 1\n    return 2\nshow(f())", ["1", "2"]),
    "function returns a tuple": ("def f():\n    return 1, 2\na, b = f()\nshow(b)", ["2"]),
    "bare return": ("def f():\n    return\nshow(f())", ["None"]),
    "argument passed through": ("def f(n):\n    return n\nshow(f(7))", ["7"]),
    "argument by keyword": ("def f(a, n=1):\n    return n\nshow(f(0, n=7))", ["7"]),
    "default argument of a call": ("def f(n=3):\n    return n\nshow(f())", ["3"]),
    "two calls stay apart": ("def f(n):\n    return n\nf(1)\nshow(f(2))", ["2"]),
    "starred arguments": ("def f(a, b):\n    return b\nargs = (1, 2)\nshow(f(*args))", ["2"]),
    "keyword dictionary": ('def f(n=0):\n    return n\nkw = {"n": 8}\nshow(f(**kw))', ["8"]),
    "keywords collected": ('def f(**kw):\n    return kw["n"]\nshow(f(n=8))', ["8"]),
    "generator is not followed": ("def f():\n    yield 1\nshow(f())", ["def f()"]),
    "recursion ends": ("def f(n):\n    return f(n)\nshow(f(1))", ["def f()"]),
    "lambda": ("f = lambda n: n\nshow(f(4))", ["4"]),
    "partial": ("from functools import partial\ndef f(a, n):\n    return n\ng = partial(f, n=5)\nshow(g(1))", ["5"]),
    "partial of a library class": (
        "from functools import partial\nfrom torch.optim import SGD\nmake = partial(SGD, lr=1)\nshow(make(p))",
        ["torch.optim.SGD()"],
    ),
    "parameter of an uncalled function": ("def f(n):\n    show(n)", ["opaque n"]),
    "default of an uncalled function": ("def f(n=4):\n    show(n)", ["parameter:n=4"]),
    "parameter through its caller": ("def f(n):\n    show(n)\nf(4)", ["4"]),
    "parameter through two callers": ("def f(n):\n    show(n)\nf(4)\nf(5)", ["4", "5"]),
    "parameter through mp.spawn": (
        "import torch.multiprocessing as mp\ndef main(rank, n):\n    show(n)\nmp.spawn(main, args=(4,), nprocs=2)",
        ["4"],
    ),
    "object": ("class A: pass\nshow(A())", ["<A>"]),
    "attribute set in the constructor": (
        "class A:\n    def __init__(self, n):\n        self.n = n\nshow(A(3).n)",
        ["3"],
    ),
    "attribute set in another method": (
        "class A:\n    def setup(self):\n        self.n = 3\n    def run(self):\n        show(self.n)",
        ["3"],
    ),
    "attribute of a base class": (
        "class B:\n    def __init__(self):\n        self.n = 3\nclass A(B):\n    def run(self):\n        show(self.n)",
        ["3"],
    ),
    "method": ("class A:\n    def f(self):\n        return 2\nshow(A().f())", ["2"]),
    "static method": ("class A:\n    @staticmethod\n    def f(n):\n        return n\nshow(A.f(2))", ["2"]),
    "class method": ("class A:\n    n = 2\n    @classmethod\n    def f(cls):\n        show(cls.n)", ["2"]),
    "property": ("class A:\n    @property\n    def n(self):\n        return 2\nshow(A().n)", ["2"]),
    "super": (
        "class B:\n    def f(self):\n        return 2\nclass A(B):\n    def f(self):\n        return super().f()\nshow(A().f())",
        ["2"],
    ),
    "callable object": ("class A:\n    def __call__(self, n):\n        return n\na = A()\nshow(a(6))", ["6"]),
    "class constant": ("class Cfg:\n    n = 4\nshow(Cfg.n)", ["4"]),
    "class constant by instance": ("class Cfg:\n    n = 4\nshow(Cfg().n)", ["4"]),
    "dataclass default": (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    n: int = 4\nshow(C().n)",
        ["dataclass:n=4"],
    ),
    "dataclass field": (
        "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    n: int = field(default=4)\nshow(C().n)",
        ["dataclass:n=4"],
    ),
    "dataclass argument": (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    n: int = 4\nshow(C(n=5).n)",
        ["5"],
    ),
    "pydantic model": (
        "from pydantic import BaseModel\nclass C(BaseModel):\n    n: int = 4\nshow(C().n)",
        ["dataclass:n=4"],
    ),
    "argparse": (
        "from argparse import ArgumentParser\np = ArgumentParser()\np.add_argument('--n-steps', '-n', default=4)\n"
        "args = p.parse_args()\nshow(args.n_steps)",
        ["argparse:n_steps=4"],
    ),
    "argparse known args": (
        "p.add_argument('--n', default=4)\nargs, rest = p.parse_known_args()\nshow(args.n)",
        ["argparse:n=4"],
    ),
    "argparse flag": ("p.add_argument('--amp', action='store_true')\nshow(p.parse_args().amp)", ["argparse:amp=False"]),
    "argparse inverted flag": (
        "p.add_argument('--no-amp', dest='amp', action='store_false')\nshow(p.parse_args().amp)",
        ["argparse:amp=True"],
    ),
    "argparse without default": ("p.add_argument('--n')\nshow(p.parse_args().n)", ["argparse:n=None"]),
    "argparse required": ("p.add_argument('--n', required=True)\nshow(p.parse_args().n)", ["argparse:n="]),
    "argparse set_defaults": (
        "p.add_argument('--n', default=1)\np.set_defaults(n=9)\nshow(p.parse_args().n)",
        ["argparse:n=9"],
    ),
    "argparse in a function": (
        "def options():\n    p.add_argument('--n', default=4)\n    return p.parse_args()\n"
        "def train(args):\n    show(args.n)\ntrain(options())",
        ["argparse:n=4"],
    ),
    "argparse as a mapping": (
        "p.add_argument('--n', default=4)\nc = vars(p.parse_args())\nshow(c['n'])",
        ["argparse:n=4"],
    ),
    "getattr": ("p.add_argument('--n', default=4)\nargs = p.parse_args()\nshow(getattr(args, 'n'))", ["argparse:n=4"]),
    "getattr default": ("show(getattr(args, 'n', 3))", ["opaque args.n", "3"]),
    "click": (
        "import click\n@click.command()\n@click.option('--n-steps', default=4)\ndef main(n_steps):\n    show(n_steps)",
        ["click:n_steps=4"],
    ),
    "click flag": (
        "import click\n@click.command()\n@click.option('--amp', is_flag=True)\ndef main(amp):\n    show(amp)",
        ["click:amp=False"],
    ),
    "typer": ("import typer\ndef main(n: int = typer.Option(4)):\n    show(n)", ["typer:n=4"]),
    "namespace": ("from types import SimpleNamespace\nc = SimpleNamespace(n=4)\nshow(c.n)", ["4"]),
    "omegaconf": ("from omegaconf import OmegaConf\nc = OmegaConf.create({'n': 4})\nshow(c.n)", ["4"]),
    "converted": ("show(int(4.0))", ["4"]),
    "is None of an object": ("class A: pass\na = A()\nshow(a is None)", ["False"]),
    "is not None of None": ("a = None\nshow(a is not None)", ["False"]),
    "is None of an unknown": ("show(f() is None)", ["?"]),
    "attribute of an unknown": ("show(cfg.train.lr)", ["opaque cfg.train.lr"]),
    "comprehension variable": ("[show(x) for x in data]", ["opaque data[iter[]]"]),
    "awaited": ("async def f():\n    show(await g())", ["opaque g()"]),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_expression_resolves_to(source: str, expected: list[str]) -> None:
    assert shown(source) == expected


def test_same_object_in_two_functions_has_one_key() -> None:
    """An optimizer made in main and stepped in a helper is the same object."""
    program = program_of(
        """
        import torch
        def train(opt):
            show(opt)
        def main():
            optimizer = torch.optim.SGD(params)
            train(optimizer)
            keep(optimizer)
        """
    )
    calls = {c.attribute: c for c in program.facts.calls}
    shown_key, kept_key = (program.resolve(calls[n].node.args[0].value, calls[n])[0].key for n in ("show", "keep"))
    assert shown_key == kept_key


def test_two_constructions_have_two_keys() -> None:
    program = program_of("import torch\na = torch.optim.SGD(p)\nb = torch.optim.SGD(p)\nshow(a)\nkeep(b)")
    calls = {c.attribute: c for c in program.facts.calls}
    keys = {program.resolve(calls[n].node.args[0].value, calls[n])[0].key for n in ("show", "keep")}
    assert len(keys) == 2


def test_many_conditional_entries_stay_cheap() -> None:
    """Twenty conditions would give a million tables; beyond a few the keys become unknown, not wrong."""
    filling = "".join(f"if c{i}:\n    d['k{i}'] = {i}\n" for i in range(20))
    assert shown(f"d = {{'a': 1}}\n{filling}show(d['a'])") == ["1"]
    assert "19" not in shown(f"d = {{'a': 1}}\n{filling}show(d['k19'])")
