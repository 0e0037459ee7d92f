"""What a training script needs from a machine, as far as its text shows it."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dnnlint.engine.errors import UsageError

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program

_DEVICE = re.compile(r"^cuda(?::(\d+))?$")


@dataclass(frozen=True, slots=True)
class Needs:
    """``workers`` and ``loaders``: those of the loader with most; None where the text does not say."""

    path: str
    workers: int | None
    loaders: int
    precisions: frozenset[str]
    """Types of autocast on the GPU and of the model: ``float16``, ``bfloat16``, ``tf32``."""
    uses_cuda: bool
    requires_cuda: bool
    """A GPU is used and nothing in the script asks whether there is one."""
    highest_device: int
    compiles: bool
    uses_nccl: bool
    imports: tuple[str, ...]
    """Top-level packages that the script cannot do without."""


def read_needs(path: str) -> Needs:
    """Analyse a script.

    Raises:
        UsageError: it cannot be read, or is not Python.
    """
    from dnnlint.engine.source import SourceProblem, decode, read_bytes

    try:
        text = decode(read_bytes(path)).text
        tree = ast.parse(text)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except SourceProblem as error:
        raise UsageError(f"{path}:{error.line}: {error.message}") from error
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path}: not Python that can be read: {error}") from error
    return _analyse(path, text, tree)


def _analyse(path: str, text: str, tree: ast.Module) -> Needs:
    workers, loaders, precisions = _from_program(path, text)
    attributes = {_dotted(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    devices = [match for value in _texts(tree) if (match := _DEVICE.match(value))]
    moves = any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "cuda" for n in ast.walk(tree)
    )
    uses_cuda = bool(devices) or moves
    asks = any(name.endswith(("is_available", "device_count", "current_accelerator")) for name in attributes)
    if any(name.endswith("allow_tf32") for name in attributes) or "set_float32_matmul_precision" in text:
        precisions = precisions | {"tf32"}
    return Needs(
        path=path,
        workers=workers,
        loaders=loaders,
        precisions=precisions,
        uses_cuda=uses_cuda,
        requires_cuda=uses_cuda and not asks,
        highest_device=max((int(match[1] or 0) for match in devices), default=0),
        compiles="torch.compile" in attributes,
        uses_nccl="nccl" in _texts(tree),
        imports=tuple(_required_imports(tree, os.path.dirname(os.path.abspath(path)))),
    )


def _from_program(path: str, text: str) -> tuple[int | None, int, frozenset[str]]:
    """Workers, loaders and types of autocast, through the model of the training program."""
    import libcst as cst

    from dnnlint.engine.guard import find_excess
    from dnnlint.program import build_program
    from dnnlint.program.loaders import LOADERS
    from dnnlint.program.precision import AUTOCASTS

    if find_excess(text) is not None:
        raise UsageError(f"{path}: too deeply nested to be analysed")
    try:
        program = build_program(cst.parse_module(text))
        calls = program.calls_to(*LOADERS)
        counts = [_workers(program, call) for call in calls]
        known = [count for count in counts if count is not None]
        workers = max(known, default=None if calls else 0)
        return workers, len(calls), _types(program, program.calls_to(*AUTOCASTS))
    except RecursionError as error:
        raise UsageError(f"{path}: too deeply nested to be analysed") from error
    except cst.ParserSyntaxError as error:
        raise UsageError(f"{path}: not Python that can be read: {error.message}") from error


def _workers(program: Program, call: Call) -> int | None:
    from dnnlint.program.literals import numbers
    from dnnlint.program.loaders import choices

    refs, is_known = choices(program, call, "num_workers")
    found: list[float] = []
    for ref in refs:
        if ref is None:
            found.append(0)
            continue
        values = program.resolver.resolve(ref)
        found += numbers(values)
        is_known = is_known and len(numbers(values)) >= len(values)
    return int(max(found)) if found and is_known else None


def _types(program: Program, calls: Sequence[Call]) -> frozenset[str]:
    from dnnlint.program.precision import autocasts
    from dnnlint.program.values import Ref

    refs = [Ref(call.node, program.place_of(call)) for call in calls]
    casts = [cast for cast in autocasts(program.resolver, refs) if cast.devices & {"cuda", "unknown"}]
    return frozenset(kind for cast in casts for kind in cast.dtypes if kind in ("float16", "bfloat16"))


def _texts(tree: ast.Module) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _required_imports(tree: ast.Module, folder: str) -> Iterator[str]:
    """Packages imported at the start of the script, outside of try and if, that are neither the standard library's nor
    files beside the script."""
    seen = set(sys.stdlib_module_names) | {"__future__"}
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in (name.partition(".")[0] for name in names):
            is_local = os.path.exists(os.path.join(folder, f"{name}.py")) or os.path.isdir(os.path.join(folder, name))
            if name not in seen and not is_local:
                seen.add(name)
                yield name
