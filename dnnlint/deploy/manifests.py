"""What other manifests hold that one of them refers to."""

from __future__ import annotations

from dnnlint.deploy import kinds
from dnnlint.deploy.build import build_file
from dnnlint.deploy.model import DeployFile, Workload
from dnnlint.deploy.tree import Malformed


def find_target(reference: str, file: DeployFile) -> Workload | None:
    """The container of a workload, given as ``Deployment name``, in this manifest or in those beside it.

    Of several containers the one with a GPU is meant.
    """
    kind, _, name = reference.partition(" ")
    found = [item for item in file.workloads if item.kind == kind and name in item.labels.split()]
    for path, data in file.neighbours.items() if not found else ():
        if kinds.kind_of(path, data) == kinds.KUBERNETES:
            try:
                other = build_file(path, kinds.KUBERNETES, data.decode("utf-8", "replace"), {})
            except Malformed:
                continue
            found += [item for item in other.workloads if item.kind == kind and name in item.labels.split()]
    found.sort(key=lambda item: not item.has_gpu)
    return found[0] if found else None
