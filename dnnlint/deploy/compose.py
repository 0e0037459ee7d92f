"""Compose files: services with what they inherit by ``extends``, anchors and merge keys."""

from __future__ import annotations

import re
import shlex

from dnnlint.deploy.dockerfile import substituted
from dnnlint.deploy.model import DeployFile, Image, Script, Word, Workload
from dnnlint.deploy.shell import from_words, read_script
from dnnlint.deploy.tree import Mapping, Scalar, Sequence, Tree
from dnnlint.deploy.yaml_reader import inner_span

_MAX_EXTENDS = 8


def read_compose(document: Mapping, file: DeployFile) -> None:
    """Fill in the services and images of a compose file."""
    services = document.mapping("services")
    for key, value in services.items():
        if isinstance(value, Mapping):
            service = _extended(value, services)
            _add_service(key, service, value, document, file)


def _extended(service: Mapping, services: Mapping, depth: int = 0) -> Mapping:
    """A service with what it takes from others of the same file below its own keys."""
    extends = service.get("extends")
    name = extends.text if isinstance(extends, Scalar) else service.text("extends", "service")
    base = services.get(name) if not service.text("extends", "file") else None
    if not isinstance(base, Mapping) or base is service or depth > _MAX_EXTENDS:
        return service
    return Mapping(service.entries, service.span, [*service.merged, _extended(base, services, depth + 1)])


def _add_service(key: Scalar, service: Mapping, own: Mapping, document: Mapping, file: DeployFile) -> None:
    image = service.get("image")
    found = None
    if isinstance(image, Scalar):
        span = inner_span(image, file.text)
        found = Image(substituted(image.text, {}), span, service.get("build") is not None)
        if own.value("image") is image:
            file.images.append(found)
    scripts = [read_command(node, file.text) for node in (service.get("entrypoint"), service.get("command")) if node]
    script = Script(tuple(command for part in scripts for command in part.commands))
    file.scripts += scripts
    template = service.get("extends", "file") is not None or key.text.startswith("x-")
    workload = Workload(
        "compose",
        key.text,
        inner_span(key, file.text),
        found,
        script,
        variables_of(service.get("environment")),
        template or _has_gpu(service),
        template or _has_shared_memory(service),
        service,
        labels=service.text("container_name"),
        shared_memory=service.text("shm_size"),
    )
    file.workloads.append(workload)


def read_command(node: Tree, text: str) -> Script:
    """The script of a ``command`` or ``entrypoint``: a text without a shell of its own, or a list of words."""
    if isinstance(node, Sequence):
        words = tuple(Word(item.text, inner_span(item, text)) for item in node.items if isinstance(item, Scalar))
        return from_words(words, text)
    if not isinstance(node, Scalar) or node.is_null:
        return Script()
    span = inner_span(node, text)
    try:
        parts = shlex.split(node.text)
    except ValueError:
        return Script()
    if text[span.start : span.end] == node.text or node.style in ("|", ">"):
        # A folded text is one command on several lines.
        masked = text[span.start : span.end]
        if node.style == ">" or not node.style:
            masked = re.sub(r"(?<!\\)\n", " ", masked)
        script = read_script(" " * span.start + masked)
        if script.commands:
            return script
    return from_words(tuple(Word(part, span) for part in parts), text)


def variables_of(node: Tree | None) -> dict[str, str]:
    """Environment variables, as a table or as ``NAME=value`` lines."""
    if isinstance(node, Mapping):
        return {key.text: value.text for key, value in node.items() if isinstance(value, Scalar)}
    if isinstance(node, Sequence):
        pairs = (item.text.partition("=") for item in node.items if isinstance(item, Scalar))
        return {name: value for name, _, value in pairs}
    return {}


def _has_gpu(service: Mapping) -> bool:
    """A device reservation, ``gpus:``, the NVIDIA runtime, a device of the host, or a CDI device."""
    if service.get("gpus") is not None or service.text("runtime").startswith(("nvidia", "$")):
        return True
    resources = service.mapping("deploy", "resources", "reservations")
    if resources.list("devices") or resources.get("generic_resources") is not None:
        return True
    devices = [item.text for item in service.list("devices") if isinstance(item, Scalar)]
    return any("nvidia" in item or "/dev/dri" in item or "/dev/kfd" in item for item in devices)


def _has_shared_memory(service: Mapping) -> bool:
    if service.get("shm_size") is not None or service.text("ipc").startswith(("host", "container:", "service:", "$")):
        return True
    mounts = [item.text for item in (*service.list("volumes"), *service.list("tmpfs")) if isinstance(item, Scalar)]
    mounts += [item.text("target") for item in service.mappings("volumes")]
    return any("/dev/shm" in item for item in mounts)
