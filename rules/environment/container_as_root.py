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
_OTHER_BASE = re.compile(r"nonroot|rootless|jupyter/|devcontainers?|distroless|vscode|sagemaker|bitnami")


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report the final stage of an image when it names no other user than root."""
    final = next((stage for stage in file.stages if stage.is_final), None)
    if final is None:
        return
    root = final
    while root.base is not None:
        root = file.stages[root.base]
    reference = root.image.reference
    if final.users:
        last = final.users[-1]
        if _ROOT.match(last.text.strip("'\"")):
            message = f"`USER {last.text}` is the last user of the image: training runs as root."
            yield FileReport(last.span, message, "Create a user, and end with `USER` and its name.")
    elif not _OTHER_BASE.search(reference) and "$" not in reference:
        message = f"The image on `{final.image.reference}` names no user: training runs as root."
        yield FileReport(final.image.span, message, "Create a user, and end with `USER` and its name.")


RULE = Rule("DNN912", "container-as-root", Severity.ADVICE, "S2.2.3a", check_file=check)
