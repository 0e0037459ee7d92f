"""DNN912: an image whose processes run as root."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile

_ROOT = re.compile(r"^(root|0)(:\w+)?$")
# Images that are known to end as root; of any other one it cannot be told.
_ROOT_BASES = re.compile(
    r"^(?:docker\.io/)?(?:library/)?(?:ubuntu|debian|python|almalinux|rockylinux|fedora|centos|alpine)$"
    r"|^nvcr\.io/nvidia/|^(?:docker\.io/)?(?:nvidia/cuda|pytorch/pytorch|tensorflow/tensorflow|rocm/[\w-]+)$"
    r"|^(?:docker\.io/)?(?:continuumio/(?:mini|ana)conda3|condaforge/(?:miniforge3|mambaforge))$"
)


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report the final stage of an image when it names no other user than root."""
    final = next((stage for stage in file.stages if stage.is_final), None)
    if final is None:
        return
    root = final
    while root.base is not None:
        root = file.stages[root.base]
    if final.users:
        last = final.users[-1]
        if _ROOT.match(last.text.strip("'\"")):
            message = f"`USER {last.text}` is the last user of the image: its processes run as root."
            yield FileReport(last.span, message, "Create a user, and end with `USER` and its name.")
    elif _ROOT_BASES.search(root.image.repository):
        message = f"The image on `{final.image.reference}` names no user: its processes run as root."
        yield FileReport(final.image.span, message, "Create a user, and end with `USER` and its name.")


RULE = Rule("DNN912", "container-as-root", Severity.ADVICE, "S2.2.3a", check_file=check)
