"""Find the one expression of a file that gives its model."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.targets.names import Function, parameters

BUILDERS = (
    "get_model",
    "create_model",
    "make_model",
    "build_net",
    "get_net",
    "create_net",
    "build_network",
    "model_fn",
)
VARIABLES = ("net", "network", "classifier", "lit_model", "student", "generator", "backbone")
_MODULE_BASES = frozenset({"Module", "LightningModule", "PreTrainedModel", "Sequential", "PyTorchModelHubMixin"})
_NO_MODELS = ("Loss", "Criterion", "Metric", "Callback", "DataModule")
"""Endings of module classes that are parts of a training program, not its model."""

HELP = "Name the model with --entry NAME or as file.py:NAME: a function, a variable or an nn.Module class."


@dataclass(frozen=True, slots=True)
class Entry:
    """An expression whose value is the model, the function it stands in (if any), and what it is."""

    expression: str
    kind: str
    name: str
    line: int
    scope: Function | None = None


def find_entry(tree: ast.Module, wanted: str | None) -> Entry:
    """Return the entry named ``wanted``, or the only one that the file offers.

    Raises TargetError when there is none, or more than one with the same claim.
    """
    if wanted is not None:
        return _named(tree, wanted)
    sources: tuple[Callable[[], Iterator[Entry]], ...] = (
        lambda: _functions(tree, ("build_model",)),
        lambda: _module_variables(tree, ("model",)),
        lambda: _functions(tree, BUILDERS),
        lambda: _module_variables(tree, VARIABLES),
        lambda: _local_variables(tree, ("model", *VARIABLES)),
        lambda: (_class_entry(tree, node) for node in root_classes(tree)),
    )
    for source in sources:
        if found := list(source()):
            return _only(found)
    return _only([])


def _only(entries: list[Entry]) -> Entry:
    """Return the single candidate; one expression in several places counts once."""
    different = list({entry.expression: entry for entry in reversed(entries)}.values())[::-1]
    if not different:
        raise TargetError("The file defines no model that could be found.", HELP)
    if len(different) > 1:
        places = ", ".join(f"{entry.name} (line {entry.line})" for entry in different)
        raise TargetError(f"The file has {len(different)} candidates for the model: {places}.", HELP)
    return different[0]


def _named(tree: ast.Module, name: str) -> Entry:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name and node in tree.body:
            return _call(node)
        if isinstance(node, ast.ClassDef) and node.name == name:
            return _class_entry(tree, node)
    for source in (_module_variables(tree, (name,)), _local_variables(tree, (name,))):
        found = list(source)
        if found:
            return _only(found)
    offered = ", ".join(sorted({*_defined(tree)})) or "nothing"
    raise TargetError(f"The file defines no '{name}'.", f"It defines {offered}.")


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _functions(tree: ast.Module, names: tuple[str, ...]) -> Iterator[Entry]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            yield _call(node)


def _call(function: ast.FunctionDef) -> Entry:
    return Entry(f"{function.name}()", "function", function.name, function.lineno)


def is_main_guard(node: ast.stmt) -> bool:
    """True for ``if __name__ == "__main__":``."""
    return isinstance(node, ast.If) and "__name__" in {
        part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)
    }


def module_statements(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements of a module with those of its main guards in their place."""
    statements: list[ast.stmt] = []
    for node in tree.body:
        statements += node.body if isinstance(node, ast.If) and is_main_guard(node) else [node]
    return statements


def _assigned(statements: list[ast.stmt], names: tuple[str, ...]) -> Iterator[tuple[str, ast.expr, int]]:
    """Yield name, value and line of every assignment to one of ``names``, blocks included."""
    for statement in statements:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign):
                targets = [target for target in node.targets if isinstance(target, ast.Name)]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                targets = [node.target]
            else:
                continue
            for target in targets:
                if target.id in names and node.value is not None:
                    yield target.id, node.value, node.lineno


def _module_variables(tree: ast.Module, names: tuple[str, ...]) -> Iterator[Entry]:
    for name, _, line in _assigned(module_statements(tree), names):
        yield Entry(name, "variable", name, line)


def _local_variables(tree: ast.Module, names: tuple[str, ...]) -> Iterator[Entry]:
    """Yield models assigned inside module-level functions, those of a training function first."""
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    functions.sort(key=lambda node: (node.name not in ("main", "train", "run", "fit"), node.lineno))
    for function in functions:
        for name, value, line in _assigned(function.body, names):
            if isinstance(value, ast.Call) and "load" not in ast.unparse(value.func):
                yield Entry(name, f"variable of {function.name}()", name, line, function)
                break
        else:
            continue
        return


def root_classes(tree: ast.Module) -> list[ast.ClassDef]:
    """Return the nn.Module classes that no other class of the file builds or extends."""
    known: dict[str, ast.ClassDef] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(_is_module_base(base, known) for base in node.bases):
            known[node.name] = node
    used: set[str] = set()
    for name, node in known.items():
        parts = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        used |= (parts & known.keys()) - {name}
    return [node for name, node in known.items() if name not in used and not name.endswith(_NO_MODELS)]


def _is_module_base(base: ast.expr, known: dict[str, ast.ClassDef]) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name in _MODULE_BASES or name in known or name.endswith("PreTrainedModel")


def _class_entry(tree: ast.Module, node: ast.ClassDef) -> Entry:
    """Return a construction of the class that the file contains, or a call without arguments."""
    for function in (None, *(part for part in tree.body if isinstance(part, ast.FunctionDef))):
        body = module_statements(tree) if function is None else function.body
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            for part in ast.walk(statement):
                if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == node.name:
                    return Entry(ast.unparse(part), "construction", node.name, part.lineno, function)
    return Entry(f"{node.name}()", "class", node.name, node.lineno)


def missing_arguments(tree: ast.Module, entry: Entry, given: set[str]) -> list[str]:
    """Return the parameters of a function or class entry that have no value yet."""
    if entry.kind not in ("function", "class"):
        return []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == entry.name:
            return _required(node, given)
        if isinstance(node, ast.ClassDef) and node.name == entry.name:
            starts = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
            return [name for start in starts for name in _required(start, given | {parameters(start)[0].arg})]
    return []


def _required(function: Function, given: set[str]) -> list[str]:
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    required = positional[: len(positional) - len(spec.defaults)]
    required += [
        argument for argument, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None
    ]
    return [argument.arg for argument in required if argument.arg not in given]
