"""Rows about Python, packages that clash, and isolation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dnnlint.doctor.checks.allocator import check_allocator
from dnnlint.doctor.machine import Machine, PythonEnvironment
from dnnlint.doctor.model import Row, Status

_TOPIC = "software"
# Packages that bring the same modules, so that the one installed last wins.
_RIVALS = (
    ("onnxruntime", "onnxruntime-gpu"),
    ("opencv-python", "opencv-python-headless"),
    ("tensorflow", "tensorflow-cpu"),
    ("tensorflow", "tensorflow-gpu"),
    ("pytorch-lightning", "pytorch-lightning-nightly"),
    ("torch", "torch-nightly"),
)
_CUDA_LIBRARY = re.compile(r"^nvidia-(cublas|cudnn|cuda-runtime|nccl)-cu(\d+)$")


def check_software(machine: Machine) -> Iterator[Row]:
    """Python and everything around it."""
    yield _python(machine.python)
    yield _torch(machine)
    yield _clashes(machine.python)
    yield _isolation(machine)
    yield check_allocator(machine.host.environment)


def _python(python: PythonEnvironment) -> Row:
    if python.problem:
        found = f"{python.executable}: {python.problem}"
        return Row(_TOPIC, "Python", Status.CANNOT_TELL, found, "Name an interpreter with --python.", is_failure=True)
    return Row(_TOPIC, "Python", Status.OK, f"{python.version} ({python.executable})")


def _torch(machine: Machine) -> Row:
    torch = machine.torch
    if torch.problem:
        advice = "Remove it and install it again."
        return Row(_TOPIC, "PyTorch", Status.WRONG, torch.problem, advice, "S2.2.1")
    others = [name for name in ("tensorflow", "jax", "mindspore", "paddlepaddle") if name in machine.python.packages]
    if torch.version:
        answer = machine.torch_answer
        if answer is not None and answer.problem:
            return Row(_TOPIC, "PyTorch", Status.WRONG, f"{torch.version} cannot be imported: {answer.problem}",
                       "Install it again.", "S2.2.1")  # fmt: skip
        return Row(_TOPIC, "PyTorch", Status.OK, torch.version, clause="S2.2.1")
    if others:
        found = f"not installed; {', '.join(f'{name} {machine.python.packages[name]}' for name in others)}"
        return Row(_TOPIC, "PyTorch", Status.OK, found, clause="S2.2.1")
    advice = "Give --python if it is installed for another interpreter."
    return Row(_TOPIC, "PyTorch", Status.ATTENTION, "not installed", advice, "S2.2.1")


def _clashes(python: PythonEnvironment) -> Row:
    if python.problem:
        return Row(_TOPIC, "versions", Status.CANNOT_TELL, "the interpreter cannot be asked", clause="S2.2.1")
    problems = [*_duplicates(python), *_rivals(python.packages), *_cuda_libraries(python.packages)]
    unmet = _unmet(python)
    if unmet is None:
        advice = "Install `packaging` beside dnnlint."
        return Row(_TOPIC, "versions", Status.CANNOT_TELL, "requirements cannot be compared", advice, "S2.2.1")
    problems += unmet
    if not problems:
        return Row(_TOPIC, "versions", Status.OK, f"{len(python.packages)} packages, none clashes", clause="S2.2.1")
    shown = "; ".join(problems[:5]) + (f"; and {len(problems) - 5} more" if len(problems) > 5 else "")
    return Row(_TOPIC, "versions", Status.WRONG, shown, "Install the versions that are asked for.", "S2.2.1")


def _duplicates(python: PythonEnvironment) -> Iterator[str]:
    for name, versions in sorted(python.duplicates.items()):
        yield f"{name} is installed as {' and '.join(versions)}"


def _rivals(packages: Mapping[str, str]) -> Iterator[str]:
    for first, second in _RIVALS:
        if first in packages and second in packages:
            yield f"{first} and {second} replace each other's files"


def _cuda_libraries(packages: Mapping[str, str]) -> Iterator[str]:
    versions: dict[str, set[str]] = {}
    for name in packages:
        match = _CUDA_LIBRARY.match(name)
        if match is not None:
            versions.setdefault(match[1], set()).add(match[2])
    for library, found in sorted(versions.items()):
        if len(found) > 1:
            yield f"{library} is installed for CUDA {' and '.join(sorted(found))}"


def _unmet(python: PythonEnvironment) -> list[str] | None:
    """Requirements between installed packages that are not met; None where they cannot be compared."""
    try:
        from packaging.requirements import InvalidRequirement, Requirement
    except ImportError:
        return None
    found = []
    for name, texts in sorted(python.requirements.items()):
        for text in texts:
            # Parsing is slow, and only requirements with a version of a package that is here can clash.
            wanted = re.match(r"[A-Za-z0-9._-]+", text)
            version = python.packages.get(re.sub(r"[-_.]+", "-", wanted[0]).lower()) if wanted else None
            if version is None or not re.search(r"[<>=~!]", text.partition(";")[0]):
                continue
            try:
                requirement = Requirement(text)
                applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
                if applies and not requirement.specifier.contains(version, prereleases=True):
                    found.append(f"{name} {python.packages[name]} needs {requirement.name}{requirement.specifier}, "
                                 f"{version} is installed")  # fmt: skip
            except (InvalidRequirement, ValueError):
                continue
    return found


def _isolation(machine: Machine) -> Row:
    parts = [part for part in (machine.host.container, machine.python.kind) if part]
    if parts:
        return Row(_TOPIC, "isolation", Status.OK, ", ".join(parts), clause="S2.2.3b")
    advice = "Use a virtual environment, a conda environment or a container, with pinned versions."
    return Row(_TOPIC, "isolation", Status.ATTENTION, "the system's Python, no container", advice, "S2.2.3b")
