"""An interpreter and its packages, from metadata alone: nothing is imported."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections.abc import Sequence
from importlib import metadata

from dnnlint.doctor.machine import PythonEnvironment, TorchBuild
from dnnlint.doctor.probes.commands import run_limited

_SELF_DESCRIPTION = (
    "import json, sys; print(json.dumps([sys.executable, sys.version.split()[0], sys.prefix, sys.base_prefix, "
    "[p for p in sys.path if p]]))"
)
_FIELDS = ("cuda", "hip")


def normalise(name: str) -> str:
    """The form of a package's name in which all its spellings are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def default_python() -> str:
    """The interpreter of the active environment, else the one that runs this."""
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        prefix = os.environ.get(variable, "")
        for place in ("bin/python", "Scripts/python.exe", "python.exe"):
            path = os.path.join(prefix, place)
            if prefix and os.path.exists(path):
                return path
    return sys.executable


def find_python(executable: str, timeout_s: float) -> PythonEnvironment:
    """Describe an interpreter and read the metadata of its packages."""
    outcome = run_limited([executable, "-c", _SELF_DESCRIPTION], timeout_s)
    if outcome.problem:
        return PythonEnvironment(executable, "", "", problem=outcome.problem)
    try:
        path, version, prefix, base, search_path = json.loads(outcome.out)
    except ValueError:
        return PythonEnvironment(executable, "", "", problem="it does not describe itself")
    kind = "conda environment" if os.path.isdir(os.path.join(prefix, "conda-meta")) else ""
    kind = kind or ("virtual environment" if prefix != base else "")
    return _with_packages(PythonEnvironment(path, version, kind, search_path=tuple(search_path)))


def _with_packages(environment: PythonEnvironment) -> PythonEnvironment:
    packages: dict[str, str] = {}
    requirements: dict[str, tuple[str, ...]] = {}
    copies: dict[str, list[str]] = {}
    for distribution in metadata.distributions(path=list(environment.search_path)):
        described = _describe(distribution)
        if described is None:
            continue
        name, version, required = described
        copies.setdefault(name, []).append(version)
        # The first on the search path is the one that an import finds.
        packages.setdefault(name, version)
        requirements.setdefault(name, required)
    duplicates = {name: tuple(versions) for name, versions in copies.items() if len(set(versions)) > 1}
    return PythonEnvironment(
        environment.executable,
        environment.version,
        environment.kind,
        packages,
        duplicates,
        requirements,
        environment.search_path,
    )


def _describe(distribution: metadata.Distribution) -> tuple[str, str, tuple[str, ...]] | None:
    try:
        name, version = distribution.metadata["Name"], distribution.metadata["Version"]
        required = tuple(distribution.requires or ())
    except Exception:  # metadata that is cut off or not readable, of any kind
        return None
    return (normalise(name), version, required) if name and version else None


def find_torch(environment: PythonEnvironment) -> TorchBuild:
    """PyTorch's version and what it was built for, from its file version.py."""
    folder = _package_folder("torch", environment.search_path)
    installed = environment.packages.get("torch", "")
    if folder is None:
        problem = "its metadata is there and its files are not" if installed else ""
        return TorchBuild(installed, problem=problem)
    try:
        with open(os.path.join(folder, "version.py"), encoding="utf-8") as file:
            values = _constants(file.read())
    except (OSError, SyntaxError, ValueError) as error:
        return TorchBuild(installed, path=folder, problem=f"torch/version.py cannot be read: {error}")
    version = values.get("__version__") or installed
    cuda, hip = (values.get(name, "") for name in _FIELDS)
    return TorchBuild(version, cuda, hip, folder)


def _package_folder(name: str, search_path: Sequence[str]) -> str | None:
    folders = (os.path.join(entry, name) for entry in search_path)
    return next((folder for folder in folders if os.path.isfile(os.path.join(folder, "__init__.py"))), None)


def _constants(source: str) -> dict[str, str]:
    """Names that a module binds to texts."""
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        value = node.value
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
            found[target.id] = value.value
    return found
