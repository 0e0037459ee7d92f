"""Kubernetes manifests: the pods of workloads and training jobs, what they ask for, and autoscalers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dnnlint.deploy.compose import read_command
from dnnlint.deploy.model import Autoscaler, DeployFile, Image, Script, Workload
from dnnlint.deploy.tree import Mapping, Scalar, Sequence, Span, Tree
from dnnlint.deploy.yaml_reader import inner_span

_MAX_DEPTH = 12
_TEMPLATE = ("spec", "template", "spec")
_STANDARD = frozenset(("cpu", "memory", "ephemeral-storage", "pods"))
_GPU_LABELS = ("gpu.product", "gke-accelerator", "gpu-type", "gpu_type", "gpu-model", "accelerator")
_REPLICA_SPECS = ("pytorchReplicaSpecs", "tfReplicaSpecs", "mpiReplicaSpecs", "xgbReplicaSpecs", "jaxReplicaSpecs")


class _Pod(NamedTuple):
    """A pod and where it comes from."""

    kind: str
    spec: Mapping
    role: str
    labels: str


def read_manifest(document: Mapping, file: DeployFile) -> None:
    """Fill in the workloads, images and autoscalers of one document."""
    kind = document.text("kind")
    if kind == "List":
        for item in document.mappings("items"):
            read_manifest(item, file)
        return
    if kind == "HorizontalPodAutoscaler":
        _add_autoscaler(document, file)
        return
    for pod in _pods(document, kind):
        for container in pod.spec.mappings("containers"):
            _add_container(container, pod, file)
        for container in pod.spec.mappings("initContainers"):
            _add_image(container, file)


def _pods(document: Mapping, kind: str) -> Iterator[_Pod]:
    labels = " ".join((document.text("metadata", "name"), document.text("metadata", "generateName")))
    spec = document.mapping("spec")
    found = False
    for name in _REPLICA_SPECS:
        for role, replica in spec.mapping(name).items():
            if isinstance(replica, Mapping):
                found = True
                yield _Pod(kind, replica.mapping("template", "spec"), role.text, labels)
    for job in spec.mappings("replicatedJobs"):
        found = True
        yield _Pod(kind, job.mapping("template", *_TEMPLATE), job.text("name"), labels)
    if not found:
        for part, template in _pod_specs(spec, ""):
            yield _Pod(kind, template, part, labels)


def _pod_specs(tree: Tree, role: str, depth: int = 0) -> Iterator[tuple[str, Mapping]]:
    """The pods of any other kind, wherever a list of containers is; a part of a job has its name as role."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(tree, Sequence):
        for item in tree.items:
            yield from _pod_specs(item, role, depth + 1)
    elif isinstance(tree, Mapping):
        name = tree.text("name") if tree.get("template") is not None else ""
        if isinstance(tree.value("containers"), Sequence):
            yield role, tree
            return
        for _, value in tree.entries:
            yield from _pod_specs(value, name or role, depth + 1)


def _add_image(container: Mapping, file: DeployFile) -> Image | None:
    node = container.get("image")
    if not isinstance(node, Scalar) or node.is_null:
        return None
    image = Image(node.text, inner_span(node, file.text))
    if image not in file.images:
        file.images.append(image)
    return image


def _add_container(container: Mapping, pod: _Pod, file: DeployFile) -> None:
    name = container.get("name")
    pointed = name if isinstance(name, Scalar) else None
    scripts = _scripts(container, file.text)
    file.scripts += scripts
    workload = Workload(
        pod.kind,
        pointed.text if pointed else "",
        inner_span(pointed, file.text) if pointed else _first_key(container),
        _add_image(container, file),
        Script(tuple(command for part in scripts for command in part.commands)),
        {item.text("name"): item.text("value") for item in container.mappings("env")},
        _has_device(container) or _claims(pod.spec),
        _has_shared_memory(container, pod.spec),
        container,
        pod.role,
        tuple(_gpu_names(pod.spec, file.text)),
        pod.labels,
    )
    file.workloads.append(workload)


def _first_key(mapping: Mapping) -> Span:
    return mapping.entries[0][0].span if mapping.entries else mapping.span


def _scripts(container: Mapping, text: str) -> list[Script]:
    """``command`` and ``args`` are one list of words, of which the script of ``bash -c`` may be the last."""
    command, arguments = container.get("command"), container.get("args")
    if isinstance(command, Sequence) and isinstance(arguments, Sequence):
        items = (*command.items, *arguments.items)
        return [read_command(Sequence(items, Span(command.span.start, arguments.span.end)), text)]
    return [read_command(node, text) for node in (command, arguments) if node is not None]


def _has_device(container: Mapping) -> bool:
    """A limit of any extended resource: GPUs of all vendors, slices of them, TPUs, and those of device plug-ins."""
    limits = container.get("resources", "limits")
    if isinstance(limits, Mapping):
        names = [key.text for key, value in limits.items() if not (isinstance(value, Scalar) and value.text == "0")]
        if any(name not in _STANDARD and "hugepages" not in name for name in names):
            return True
    elif limits is not None:
        return True
    return container.get("resources", "claims") is not None or bool(container.merged)


def _claims(pod: Mapping) -> bool:
    """Whether the pod gets devices in another way: by a claim, a runtime class, or a volume of the host."""
    if pod.get("resourceClaims") is not None or "nvidia" in pod.text("runtimeClassName"):
        return True
    return any("/dev" in volume.text("hostPath", "path") for volume in pod.mappings("volumes"))


def _has_shared_memory(container: Mapping, pod: Mapping) -> bool:
    mounts = [item.text("mountPath").rstrip("/") for item in container.mappings("volumeMounts")]
    return "/dev/shm" in mounts or pod.text("hostIPC") == "true"


def _gpu_names(pod: Mapping, text: str) -> Iterator[tuple[str, Span]]:
    for key, value in pod.mapping("nodeSelector").items():
        if key.text.lower().endswith(_GPU_LABELS) and isinstance(value, Scalar):
            yield value.text, inner_span(value, text)
    affinity = pod.mapping("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    terms = list(affinity.mappings("nodeSelectorTerms"))
    if len(terms) == 1:
        for expression in terms[0].mappings("matchExpressions"):
            if expression.text("operator") == "In" and expression.text("key").lower().endswith(_GPU_LABELS):
                for value in expression.list("values"):
                    if isinstance(value, Scalar):
                        yield value.text, inner_span(value, text)


def _add_autoscaler(document: Mapping, file: DeployFile) -> None:
    metrics: list[tuple[str, str, Span]] = []
    for metric in document.mappings("spec", "metrics"):
        kind = metric.text("type")
        holder = metric.mapping(kind[:1].lower() + kind[1:])
        name: Tree | None = holder.get("name") or holder.get("metric", "name") or holder.get("metricName")
        if isinstance(name, Scalar):
            metrics.append((kind, name.text, inner_span(name, file.text)))
    old = document.mapping("spec").key("targetCPUUtilizationPercentage")
    if old is not None:
        metrics.append(("Resource", "cpu", old.span))
    kind_key = document.key("kind")
    span = kind_key.span if kind_key is not None else document.span
    target = " ".join(
        (document.text("spec", "scaleTargetRef", "kind"), document.text("spec", "scaleTargetRef", "name"))
    )
    file.autoscalers.append(Autoscaler(span, target.strip(), tuple(metrics)))
