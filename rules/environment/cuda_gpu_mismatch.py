"""DNN908: a CUDA build that has no code for the GPU it is to run on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from dnnlint.deploy.scripts import Scripts
from dnnlint.finding import Severity
from dnnlint.knowledge.releases import can_run, capability, cuda_build, cuda_release, gpu_capability, gpus_need
from dnnlint.rule import FileReport, Option, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Environment, Image
    from dnnlint.deploy.tree import Span

_FIRST_WITH_BFLOAT16 = (8, 0)
_INDEX = re.compile(r"/whl/(?:nightly/|test/)?(cu\d{3})")
_IMAGE = re.compile(r"^(?:docker\.io/)?nvidia/cuda$")
_VERSION = re.compile(r"^v?(\d+\.\d+)")
_CONDA_CUDA = ("pytorch-cuda", "cudatoolkit", "cuda-version")
_GRES = re.compile(r"gpu:([A-Za-z][\w-]*?)(?::\d+|\(|,|$)")
_SLURM_OPTIONS = ("--gres", "--gpus", "-G", "--gpus-per-node", "--gpus-per-task", "--constraint", "-C")


class _Build(NamedTuple):
    """A CUDA version that the file chooses."""

    version: str
    written: str
    span: Span


class _Gpu(NamedTuple):
    """A GPU that the file, or the configuration, names."""

    model: str
    capability: tuple[int, int]
    where: str


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Compare each CUDA build of a file with each GPU."""
    configured = settings["gpus"]
    names = [(name, "the configured GPU") for name in configured] if isinstance(configured, tuple) else []
    names += [(name, "the GPU of the node selector") for workload in file.workloads for name, _ in workload.gpu_names]
    names += [(name, "the requested GPU") for name in _slurm_gpus(file)]
    gpus = [_Gpu(*found, where) for name, where in names if (found := gpu_capability(name)) is not None]
    yield from _emulated(file, gpus)
    for build in _builds(file):
        release = cuda_release(build.version)
        if release is None:
            continue
        for gpu in (*gpus, *_architectures(file)):
            if not can_run(release, gpu.capability):
                yield _report(build, gpu)
                break


def _emulated(file: DeployFile, gpus: list[_Gpu]) -> Iterator[FileReport]:
    """Report a script in bfloat16 for a GPU older than the first with units for it, compute capability 8.0."""
    old = next((gpu for gpu in gpus if gpu.capability < _FIRST_WITH_BFLOAT16), None)
    found = Scripts(file).bfloat16(file.commands) if old is not None else None
    if old is not None and found is not None:
        script, span = found
        yield FileReport(
            span,
            f"`{script}` autocasts to bfloat16, which {old.where}, `{old.model}`, only emulates.",
            "Use float16 with a gradient scaler there.",
            Severity.WARNING,
        )


def _report(build: _Build, gpu: _Gpu) -> FileReport:
    oldest, newest = gpus_need(gpu.capability)
    number = ".".join(map(str, gpu.capability))
    subject = f"`{build.written}` is built with CUDA {build.version}"
    return FileReport(
        build.span,
        f"{subject}, which has no code for {gpu.where}, `{gpu.model}` (compute capability {number}).",
        f"Take a build with CUDA {oldest} to {newest}." if oldest else "Take another GPU.",
    )


def _builds(file: DeployFile) -> Iterator[_Build]:
    for environment in file.environments:
        yield from _of_environment(environment)
    for image in file.images:
        version = _of_image(image)
        if version:
            yield _Build(version, image.reference, image.span)


def _of_environment(environment: Environment) -> Iterator[_Build]:
    torch = environment.find("torch", "pytorch", "torchvision")
    for item in environment.dependencies:
        if item.name in _CONDA_CUDA and item.manager == "conda" and item.exact:
            yield _Build(item.exact, item.written, item.span)
        elif item.name in ("torch", "pytorch") and cuda_build(item.build):
            yield _Build(cuda_build(item.build), item.written, item.span)
    if torch is not None and not cuda_build(torch.build):
        for index in environment.indexes:
            match = _INDEX.search(index)
            if match is not None:
                yield _Build(cuda_build(match.group(1)), match.group(1), torch.span)


def _of_image(image: Image) -> str:
    if _IMAGE.match(image.repository):
        match = _VERSION.match(image.tag)
        return match.group(1) if match else ""
    return cuda_build(image.tag)


def _slurm_gpus(file: DeployFile) -> Iterator[str]:
    for directive in file.directives:
        if directive.name in _SLURM_OPTIONS:
            match = _GRES.search(directive.value) or re.match(r"^([A-Za-z][\w-]*)(?::\d+)?$", directive.value)
            if match is not None:
                yield match.group(1)


def _architectures(file: DeployFile) -> Iterator[_Gpu]:
    """The compute capabilities that an image compiles extensions for; nvcc refuses those that it does not know."""
    for stage in file.stages:
        word = stage.variables.get("TORCH_CUDA_ARCH_LIST")
        for item in re.split(r"[\s;,]+", word.text) if word else ():
            if re.fullmatch(r"\d+\.\d[a-f]?(\+PTX)?", item):
                yield _Gpu("TORCH_CUDA_ARCH_LIST", capability(item), "a listed architecture")


RULE = Rule(
    code="DNN908",
    name="cuda-gpu-mismatch",
    severity=Severity.ERROR,
    clause="S2.2.2",
    options=(Option("gpus", (), "The models of the GPUs that the project runs on, for example V100."),),
    check_file=check,
)
