"""DNN904: an image whose content changes under the same name, or whose name does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy import kinds
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Image

_NO_OFFICIAL_IMAGE = {
    "pytorch": "pytorch/pytorch",
    "torch": "pytorch/pytorch",
    "tensorflow": "tensorflow/tensorflow",
    "cuda": "nvidia/cuda",
    "nvidia": "nvidia/cuda",
}
# Other names without a registry or an owner are those of images that were built on the machine itself.
_OFFICIAL = frozenset(
    "alpine bash busybox centos debian elasticsearch fedora gcc golang grafana httpd influxdb java julia mariadb "
    "memcached mongo mysql nginx node openjdk postgres python r-base rabbitmq redis rockylinux almalinux ruby rust "
    "traefik ubuntu".split()
)
_FLOATING = re.compile(r"^latest($|-)|^(main|master|nightly|edge|dev|devel)$")
_NAME = re.compile(r"^[\w.:/@-]+$")


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report images that are pulled by a name without a fixed content."""
    stages = {id(stage.image) for stage in file.stages if stage.base is not None}
    for image in file.images:
        if image.digest or image.is_built_here or id(image) in stages or not _NAME.match(image.reference):
            continue
        if file.kind == kinds.KUBERNETES and _is_kustomized(file):
            continue
        report = _report(image)
        if report is not None:
            yield report


def _is_kustomized(file: DeployFile) -> bool:
    """Whether kustomize puts the tags in."""
    return any(name.endswith(("kustomization.yaml", "kustomization.yml")) for name in file.neighbours)


def _report(image: Image) -> FileReport | None:
    name = image.repository.removeprefix("docker.io/").removeprefix("library/")
    official = _NO_OFFICIAL_IMAGE.get(name)
    if official is not None:
        message = f"`{image.reference}` names no image of Docker Hub: there is no official image `{name}`."
        return FileReport(image.span, message, f"Write `{official}` with the tag of a release.")
    if "/" not in name and name not in _OFFICIAL:
        return None
    text_help = "Name the tag of a release, or the digest."
    if not image.tag:
        message = f"`{image.reference}` has no tag, which means `latest`: the next pull may bring another version."
        return FileReport(image.span, message, text_help)
    if _FLOATING.search(image.tag):
        message = f"The tag of `{image.reference}` moves: the next pull may bring another version."
        return FileReport(image.span, message, text_help)
    return None


RULE = Rule("DNN904", "floating-image-tag", Severity.WARNING, "S2.2.3a", check_file=check)
